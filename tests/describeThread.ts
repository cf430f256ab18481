import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEther } from 'viem'
import { attestationPublished } from '@perigee/core/proof'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { cidOf, isTerminal, transactionDigest, type ProofPayload, type WalletInfo } from '@perigee/core'
import type { ServiceClient } from '@perigee/sdk'
import type { StackFile } from '../dev/stack/stackFile.js'
import type { Site } from './browser/site/startSite.js'
import { newTransaction } from '../enclave/testing/createTestWorld.js'
import { components, fund } from './harness/index.js'
import type { Browser } from '../api/testing/Browser.js'
import { clientWith, sessionHeaders, signIn } from '../dev/signIn.js'

/** The thinnest thread through the whole system. */
export function describeThread(site: () => Site, provideKubo: (program: string) => void): void {
  describe('the thread', () => {
    const stack = () => site().stack
    let browser: Browser
    let client: ServiceClient

    beforeAll(async () => {
      browser = await signIn(stack().apiUrl, 'ada@example.test', `${stack().webUrl}/`)
      client = clientWith(browser, stack())
    })

    const fundWallet = ({ address }: WalletInfo) => fund(address, '10', stack().rpcUrl)

    async function terminalProof(slug: string): Promise<ProofPayload> {
      for (;;) {
        const proof = await client.api.getProof(slug)
        if (isTerminal(proof.status)) return proof
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    }

    test('is usable before Kubo is there: a proof waits in pending_pin, and is completed once Kubo runs', async () => {
      onTestFinished(() => provideKubo(components().programs.kubo)) // also when it fails: the others need Kubo
      expect(await namesInStackFile()).toEqual(names.filter((name) => name !== 'kubo'))
      await fundWallet(await client.api.provisionWallet())
      const { attestationSlug } = await client.signAndSend({
        to: '0x00000000000000000000000000000000000000ee',
        value: 1n,
      })
      expect(await client.api.getProof(attestationSlug)).toMatchObject({ status: 'pending_pin' })
      provideKubo(components().programs.kubo)
      await site().kubo
      expect(await terminalProof(attestationSlug)).toMatchObject({ status: 'complete' })
      await expect.poll(namesInStackFile).toEqual(names)
    })

    const temporal = process.env['TEMPORAL_ADDRESS'] ? [] : ['temporal'] // named: not ours
    const names = ['anvil', 'api', 'codec', 'enclave', 'identity-provider', 'kubo', 'postgres', 'satellite', ...temporal, 'web', 'worker'] // prettier-ignore
    async function namesInStackFile(): Promise<string[]> {
      const { processes } = JSON.parse(await readFile(join(site().logs, '..', 'stack.json'), 'utf8')) as StackFile
      for (const pid of Object.values(processes)) expect(() => process.kill(pid, 0)).not.toThrow()
      return Object.keys(processes).sort()
    }

    test('a person signs in, sends a transaction, and a stranger can check its receipt', async () => {
      expect(await client.api.me()).toMatchObject({ email: 'ada@example.test' })
      const wallet = await client.api.provisionWallet()
      expect(await client.api.getWallet()).toEqual(wallet)
      await fundWallet(wallet)

      const recipient = '0x00000000000000000000000000000000000000aa'
      const { txHash, attestationSlug } = await client.signAndSend({ to: recipient, value: '0.5' })
      const mined = await client.publicClient.waitForTransactionReceipt({ hash: txHash })
      expect(mined.status).toBe('success')
      expect(mined.from).toBe(wallet.address.toLowerCase())
      expect(await client.publicClient.getBalance({ address: recipient })).toBe(parseEther('0.5'))

      const proof = await terminalProof(attestationSlug)
      expect(proof).toMatchObject({ status: 'complete', txHash, kmsQuoteVerified: true, receipt: { simulated: true } })

      // The bytes that IPFS holds under that CID hash to it.
      const block = await fetch(`${stack().ipfsGatewayUrl}/ipfs/${proof.ipfsCid}?format=raw`)
      const bytes = new Uint8Array(await block.arrayBuffer())
      expect(cidOf(bytes)).toBe(proof.ipfsCid)
      expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(proof.receipt)

      // The chain names the CID, once, from the contract, in the block that the proof names.
      const events = await client.publicClient.getLogs({
        address: stack().contractAddress,
        event: attestationPublished,
        args: { wallet: wallet.address, txHash },
        fromBlock: 0n,
      })
      expect(events).toHaveLength(1)
      expect(events[0]).toMatchObject({
        args: { ipfsCid: proof.ipfsCid },
        transactionHash: proof.onchainTxHash,
        blockNumber: BigInt(proof.onchainBlockNumber ?? -1),
      })

      const page = await fetch(proof.receipt?.spec ?? '')
      expect(await page.text()).toContain('# Receipt, version 1')

      const { code, stdout } = await site().verify(`${stack().webUrl}/p/${attestationSlug}`)
      expect(code, stdout).toBe(0)
      expect(stdout).toMatch(/SIMULATED/)
      expect(stdout).not.toMatch(/FAIL|SKIP/)
    })

    test('signing the same transaction again gives the same signature and slug', async () => {
      const wallet = await client.api.provisionWallet()
      const { digest, txMetadata } = await unsignedTransaction(wallet)
      const first = await client.api.signDigest({ digest, txMetadata })
      const again = await Promise.all([1, 2, 3].map(() => client.api.signDigest({ digest, txMetadata })))
      for (const answer of again) expect(answer).toEqual(first)
    })

    async function unsignedTransaction(wallet: WalletInfo) {
      const nonce = await client.publicClient.getTransactionCount({ address: wallet.address })
      const txMetadata = newTransaction({ chainId: stack().chainId, nonce, value: '7' })
      return { txMetadata, digest: transactionDigest(txMetadata) }
    }

    test('a digest of another transaction is refused', async () => {
      const wallet = await client.api.provisionWallet()
      const { digest, txMetadata } = await unsignedTransaction(wallet)
      const altered = { ...txMetadata, value: '8' }
      await expect(client.api.signDigest({ digest, txMetadata: altered })).rejects.toMatchObject({
        code: 'digest_mismatch',
        status: 422,
      })
    })

    test('a killed enclave and a killed worker come back, and signing goes on', async () => {
      const before = { ...stack().processes }
      for (const name of ['enclave', 'worker']) process.kill(before[name] as number, 'SIGKILL')
      await expect
        .poll(() => ['enclave', 'worker'].every((name) => ![undefined, before[name]].includes(stack().processes[name])))
        .toBe(true)
      const { attestationSlug } = await client.signAndSend({
        to: '0x00000000000000000000000000000000000000cc',
        value: 1n,
      })
      expect(await terminalProof(attestationSlug)).toMatchObject({ status: 'complete' })
    })

    test('with a silent satellite signing says entropy_unavailable and when to ask again, and goes on once it is back', async () => {
      const wallet = await client.api.provisionWallet()
      const { txMetadata } = await unsignedTransaction(wallet)
      const sign = async (value: number): Promise<Response> => {
        const transaction = { ...txMetadata, value: String(value) }
        const body = JSON.stringify({ digest: transactionDigest(transaction), txMetadata: transaction })
        const headers = sessionHeaders(browser, stack())
        return fetch(`${stack().apiUrl}/sign/digest`, { method: 'POST', headers, body })
      }
      const satellite = stack().processes['satellite'] as number
      process.kill(satellite, 'SIGSTOP')
      let answer: Response
      let value = 1000
      try {
        do answer = await sign(++value)
        while (answer.status === 200 && value < 1100)
      } finally {
        process.kill(satellite, 'SIGCONT')
      }
      expect(answer.status).toBe(503)
      expect(await answer.json()).toMatchObject({ code: 'entropy_unavailable' })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      await expect.poll(async () => (await sign(value)).status, { interval: 1000 }).toBe(200)
    })

    test('another person gets another wallet, and a signed-out cookie is dead', async () => {
      const other = clientWith(await signIn(stack().apiUrl, 'bob@example.test', `${stack().webUrl}/`), stack())
      const [mine, theirs] = [await client.api.getWallet(), await other.api.provisionWallet()]
      expect(theirs.address).not.toBe(mine.address)
      await other.api.logout()
      await expect(other.api.me()).rejects.toMatchObject({ code: 'not_signed_in' })
    })

    test('no e-mail address is in any log', async () => {
      for (const name of ['api', 'worker', 'enclave', ...temporal, 'satellite']) {
        const log = await readFile(join(site().logs, `${name}.log`), 'utf8')
        expect(log, name).not.toMatch(/ada@example|ada%40example|bob@example/)
      }
    })
  })
}
