import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toHex, transactionDigest, transactionHash, type Hex } from '@perigee/core'
import type { SignTransactionAnswer } from '@perigee/core/enclave'
import { workflowIds } from '@perigee/core/workflow'
import { getProof, findBirth, findWallet } from '../../database/index.js'
import { newTransaction } from '../../enclave/testing/createTestWorld.js'
import { readRun } from '../../temporal/index.js'
import { requestHashOf } from '../../tests/rigs/workers/createSigningCalls.js'
import { startService, type TestService } from '../../tests/rigs/workers/startService.js'
import { run } from '../run.js'
import { createLosses } from './createLosses.js'
import { recoverSignature } from './recoverSignature.js'

/* What `recover` refuses. What it puts back: tests/restore.system.test.ts. */

let service: TestService
const since = new Date(Date.now() - 1000).toISOString()
beforeAll(async () => {
  service = await startService()
  await service.startWorkers()
})
afterAll(() => service.close())

const ops = (...args: string[]) => opsWith({}, ...args)
async function opsWith(changes: Record<string, string>, ...args: string[]) {
  const lines: string[] = []
  const console = { print: (line: string) => lines.push(line), complain: (line: string) => lines.push(line) }
  const code = await run([...args, '--json'], { ...service.env, ...changes }, console)
  return { code, ...(JSON.parse(lines.join('\n')) as { found: Item[]; lost: (Item & { why: string })[] }) }
}
/** No run started so late: histories are not read, as if Temporal had deleted them. */
const withoutHistories = () => new Date(Date.now() + 3600_000).toISOString()
type Item = { kind: string; id: string }
const why = ['--operator', 'ops-1', '--reason', 'restored']
const newWallet = async () => service.provision(await service.newUser())
const signWith = (walletId: string) => {
  const transaction = newTransaction()
  return service.sign({ walletId, transaction, digest: transactionDigest(transaction) })
}
const complete = (slug: string) => expect.poll(async () => (await getProof(service.database, slug))?.status).toBe('complete') // prettier-ignore

/** As if the backup had been taken before. */
async function loseProof(slug: string): Promise<void> {
  for (const table of ['attestations', 'transactions', 'messages', 'publications']) {
    await service.database.query(`DELETE FROM ${table} WHERE slug = $1`, [slug])
  }
}
test('a history with another wallet’s signature is refused and reported, and nothing is recorded', async () => {
  await service.stopWorkers()
  await service.startWorkers(['sign'])
  const [alice, bob] = [await newWallet(), await newWallet()]
  const transaction = newTransaction()
  const digest = transactionDigest(transaction)
  const { enclave, evidence } = service.deps
  const kept = { ...evidence }
  // Bob signs; then a worker that lies gives Bob's answer for Alice's wallet, and verifies nothing.
  let answer: SignTransactionAnswer | undefined
  let verified: Awaited<ReturnType<typeof evidence.verify>> | undefined
  evidence.verify = async (quote) => {
    if (quote.kind === 'sign') answer = quote.answer
    return (verified = await kept.verify(quote))
  }
  const bobs = await service.sign({ walletId: bob.walletId, transaction, digest })
  await loseProof(bobs.slug)
  if (!answer || !verified) throw new Error('nothing was verified')
  const [lie, verdict] = [answer, verified]
  evidence.verify = () => Promise.resolve(verdict)
  Object.assign(service.deps, { enclave: { ...enclave, signTransaction: () => Promise.resolve(lie) } })
  const forged = await service.sign({ walletId: alice.walletId, transaction, digest })
  Object.assign(service.deps, { enclave })
  Object.assign(evidence, kept)
  expect(forged.signature).toBe(bobs.signature)
  await loseProof(forged.slug)

  const done = await ops('recover', '--since', since, '--apply', ...why)
  const workflowId = workflowIds.sign(alice.walletId, digest)
  expect(done.code).toBe(3)
  expect(done.lost.filter(({ id }) => id === workflowId)).toEqual([
    { kind: 'signDigest', id: workflowId, why: expect.stringContaining('sign') },
  ])
  expect(done.found).toEqual([{ kind: 'signature', id: bobs.slug }]) // the true history is put back
  expect(await getProof(service.database, forged.slug)).toBeNull()
  const rows = await service.database.query('SELECT slug FROM transactions WHERE wallet_id = $1', [alice.walletId])
  expect(rows).toEqual([])

  // Nor when the history claims that the wallet was Bob's.
  const history = await readRun(service.client, service.config.temporal.codecKeys, await runOf(workflowId))
  const made = { ...(history.steps.get('recordSignature') as object), wallet: bob.address, txHash: hashOf(bobs.signature) } // prettier-ignore
  const steps = new Map([...history.steps, ['recordSignature', made]])
  const losses = createLosses()
  const recovery = { database: service.database, client: service.client, losses, findBundle: async () => null }
  const again = recoverSignature({ input: history.input, steps }, { ...recovery, apply: true })
  await expect(again).rejects.toMatchObject({ code: expect.stringMatching(/signer|signature|binding/) })
  expect(losses.found).toEqual([])

  function hashOf(signature: Hex): Hex {
    return transactionHash(transaction, signature)
  }
  async function runOf(id: string) {
    const { runId } = await service.client.workflow.getHandle(id).describe()
    return { workflowId: id, runId }
  }
})

test('a wallet whose history is gone is named, with its receipts; the run of a lost proof ends by abandon', async () => {
  await service.stopWorkers()
  await service.startWorkers()
  const { walletId, address } = await newWallet()
  const birth = (await findBirth(service.database, walletId))?.slug ?? ''
  const sign = () => signWith(walletId)
  const published = await sign()
  for (const slug of [birth, published.slug]) await complete(slug)
  const cid = (await getProof(service.database, published.slug))?.ipfsCid
  await service.stopWorkers()
  await service.startWorkers(['sign'])
  const pending = await sign()
  for (const slug of [published.slug, pending.slug, birth]) await loseProof(slug)
  await service.database.query('DELETE FROM wallets WHERE id = $1', [walletId])

  const looked = await ops('recover', '--since', withoutHistories())
  expect(looked.lost).toEqual([
    { kind: 'wallet', id: address, why: expect.stringContaining('no history of it was found') },
    { kind: 'receipt', id: cid, why: 'its wallet is lost' },
  ])
  expect(await findWallet(service.database, walletId)).toBeNull()

  // Its publication waits for a record that nobody can bring back.
  await service.startWorkers(['publish', 'chain'])
  const state = async () => (await service.temporal.queryProof(pending.slug))?.status
  await expect.poll(state).toBe('pin_failed')
  expect((await ops('abandon', pending.slug, ...why)).code).toBe(0)
  await expect(service.client.workflow.getHandle(workflowIds.receipt(pending.slug)).result()).rejects.toThrow()
})

test('a publication that is ahead of a restored record starts over, and completes', async () => {
  await service.stopWorkers()
  await service.startWorkers()
  const { walletId } = await newWallet()
  await complete((await findBirth(service.database, walletId))?.slug ?? '')
  const only = async (...queues: ('sign' | 'publish' | 'chain')[]) => {
    await service.stopWorkers()
    await service.startWorkers(queues)
  }
  // Step by step: it waits for the chain's worker, is told that the transaction was seen, pins, and waits again.
  await only('sign', 'publish')
  const { slug } = await signWith(walletId)
  const run = service.client.workflow.getHandle(workflowIds.receipt(slug))
  const waiting = async () => (await run.describe()).raw.pendingActivities?.length ?? 0
  await expect.poll(waiting).toBe(1)
  await only('chain')
  await expect.poll(waiting).toBe(0)
  await only('publish')
  await expect.poll(async () => (await getProof(service.database, slug))?.status).toBe('pending_onchain')
  await service.stopWorkers()
  // The backup was taken after the signature and before the receipt was pinned.
  await service.database.query(`UPDATE publications SET status = 'pending_pin', cid = NULL, receipt = NULL WHERE slug = $1`, [slug]) // prettier-ignore
  const { runId } = await run.describe()
  expect(await ops('recover', '--since', withoutHistories())).toMatchObject({ found: [] })
  await ops('recover', '--since', withoutHistories(), '--apply', ...why)
  expect((await service.client.workflow.getHandle(workflowIds.receipt(slug), runId).describe()).status.name).toBe('TERMINATED') // prettier-ignore
  await service.startWorkers()
  await complete(slug)
})

test('a run that started before the given moment and recorded after it is put back; an open publication without a record is named', async () => {
  await service.stopWorkers()
  await service.startWorkers(['sign'])
  const { walletId } = await newWallet()
  const { slug } = await signWith(walletId)
  await service.stopWorkers()
  const moment = new Date().toISOString()
  await loseProof(slug) // as if its record had been committed a moment later
  const named = { kind: 'publication', id: slug, why: expect.stringContaining('abandon') as string }
  expect((await ops('recover', '--since', withoutHistories(), '--apply', ...why)).lost).toContainEqual(named)
  const done = await ops('recover', '--since', moment, '--apply', ...why)
  expect(done.found).toContainEqual({ kind: 'signature', id: slug })
  expect(done.lost.map(({ id }) => id)).not.toContain(slug)
})

const newMessage = async () => {
  const { walletId } = await newWallet()
  return { walletId, message: { scheme: 'eip191', message: '0x49206167726565' }, salt: toHex(randomBytes(32)) } as const
}

test('a message that was answered and not published comes back from its history, with its name and signature', async () => {
  await service.stopWorkers()
  await service.startWorkers(['sign'])
  const call = await newMessage()
  const answer = await service.signMessage(call)
  await service.client.workflow.getHandle(`message/${call.walletId}/${requestHashOf(call)}`).result()
  await service.stopWorkers()
  await loseProof(answer.slug)
  const done = await ops('recover', '--since', since, '--apply', ...why)
  expect(done.found).toContainEqual({ kind: 'signature', id: answer.slug })
  await service.startWorkers()
  expect(await service.signMessage(call)).toEqual(answer)
  await complete(answer.slug)
})

test('without a history its receipt brings it back, under a new name and without the signature, which is made again', async () => {
  const call = await newMessage()
  const answer = await service.signMessage(call)
  await complete(answer.slug)
  const before = await getProof(service.database, answer.slug)
  const { txHash, ipfsCid, receipt } = before!
  await loseProof(answer.slug)
  const now = withoutHistories()
  const found = [{ kind: 'receipt', id: ipfsCid }]
  expect((await ops('recover', '--since', now)).found).toEqual(found)
  // Also when the contract has changed since.
  const CONTRACT_ADDRESS = `0x${'22'.repeat(20)}`
  const FORMER_CONTRACTS = `${service.config.chain.contract}@0`
  expect((await opsWith({ CONTRACT_ADDRESS }, 'recover', '--since', now)).found).toEqual([])
  const moved = { CONTRACT_ADDRESS, FORMER_CONTRACTS }
  expect((await opsWith(moved, 'recover', '--since', now, '--apply', ...why)).found).toEqual(found)
  expect((await ops('recover', '--since', now)).found).toEqual([])
  const again = await service.signMessage(call)
  expect(again.signature).toBe(answer.signature)
  expect(again.slug).not.toBe(answer.slug)
  // It is pinned under the same CID. Its event counts once it is final, which this chain does not get to.
  const cid = async () => (await getProof(service.database, again.slug))?.ipfsCid
  await expect.poll(cid).toBe(ipfsCid)
  expect(await getProof(service.database, again.slug)).toMatchObject({ kind: 'message', chainId: 0, txHash, receipt })
})
