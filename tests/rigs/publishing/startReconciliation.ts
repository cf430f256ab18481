import { createPublishingMeter } from '../../../clients/createPublishingMeter.js'
import { installQuietRuntime } from '../workers/quietRuntime.js'
import { createWalletClient, http, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { createChainActivities } from '../../../activities/publishing/createChainActivities.js'
import { createPinActivities } from '../../../activities/publishing/createPinActivities.js'
import { createChain } from '../../../clients/chain/createChain.js'
import { createPublisher } from '../../../clients/chain/publisher/createPublisher.js'
import { createKuboNode } from '../../../clients/ipfs/createKuboNode.js'
import { serviceAttestationsAbi } from '../../../contracts/index.js'
import { loadProofRecord } from '../../../database/index.js'
import type { Mismatch } from '../../../ops/reconcile/createReport.js'
import { run } from '../../../ops/run.js'
import { chainConfigOf, components, freshPublisher, openFresh } from '../../harness/index.js'
import { runActivity } from '../workers/runActivity.js'
import { noEvidence, seedProof } from './seedProof.js'
import { startAnvil } from '../servers/startAnvil.js'

installQuietRuntime()

export interface Reconciled {
  code: number
  mismatches: Mismatch[]
  unchecked: { what: string }[]
  checked: Record<string, number>
}

/** A transaction on the test chain. */
export const onAnvil = { chainId: 31337, nonce: 0, gas: '60000', data: '0x' as const }

/** Database, chain and IPFS node of a test's own, on which everything agrees until the test changes something. */
export async function startReconciliation() {
  const activity = { run: runActivity }
  const anvil = await startAnvil()
  const [fresh, publisherKey] = await Promise.all([openFresh(), freshPublisher(anvil.testChain)])
  const { database } = fresh
  const contract = anvil.testChain.contractAddress.toLowerCase() as Hex
  const env = {
    DATABASE_URL: fresh.url,
    CHAIN_ID: '31337',
    CHAIN_RPC_URLS: anvil.rpcUrl,
    CHAIN_CONFIRMATIONS: '1',
    CONTRACT_ADDRESS: contract,
    IPFS_API_URLS: components().ipfsApiUrl,
    WALLET_RPC_URLS: '',
  }
  const chain = createChain(chainConfigOf(anvil.testChain, publisherKey))
  const rpc = (method: string, params: unknown[]) => anvil.client.request({ method, params } as never)
  const undo: (() => Promise<unknown>)[] = []

  /** Activities with a publisher of their own: it remembers nonces, which some tests take back. */
  function createActivities() {
    const meter = createPublishingMeter()
    const nodes = [createKuboNode(components().ipfsApiUrl)]
    return {
      ...createPinActivities({ database, evidence: noEvidence, chain, nodes, required: 1, meter }),
      ...createChainActivities({ database, chain, publisher: createPublisher(database, chain), meter }),
    }
  }

  const rowOf = async (slug: string) =>
    (await database.query<Record<string, unknown>[]>('SELECT * FROM publications WHERE slug = $1', [slug]))[0]

  const walletOf = (key: Hex) =>
    createWalletClient({ account: privateKeyToAccount(key), chain: foundry, transport: http(anvil.rpcUrl) })

  return {
    anvil,
    database,
    contract,
    publisherKey,
    activity,
    createActivities,
    rpc,
    walletOf,

    /** Runs `npm run ops -- reconcile --json`. */
    async reconcile(changes: Record<string, string> = {}, ...args: string[]): Promise<Reconciled> {
      const printed: string[] = []
      const console = { print: (line: string) => printed.push(line), complain: (line: string) => printed.push(line) }
      const code = await run(['reconcile', '--json', ...args], { ...env, ...changes }, console)
      return { ...(JSON.parse(printed.join('\n')) as Omit<Reconciled, 'code'>), code }
    },

    async seed(signed?: Parameters<typeof seedProof>[2]) {
      const proof = await seedProof(database, { chainId: 31337, contract }, signed)
      const birth = await loadProofRecord(database, proof.birthSlug)
      const { cid, receipt } = birth?.publication ?? {}
      if (!cid || !receipt) throw new Error('the seeded birth is not pinned')
      await createKuboNode(components().ipfsApiUrl).pin(cid, new TextEncoder().encode(receipt))
      return proof
    },

    /** A complete proof, made by the code that completes proofs. */
    async publishProof(signed: Parameters<typeof seedProof>[2] = { transaction: onAnvil }) {
      const proof = await this.seed(signed)
      const { pinReceipt, publishOnchain } = createActivities()
      await activity.run(pinReceipt, { slug: proof.slug })
      await activity.run(publishOnchain, { slug: proof.slug })
      const row = await rowOf(proof.slug)
      const onchainTxHash = row?.['onchain_tx_hash'] as Hex | undefined
      return { ...proof, cid: String(row?.['cid']), onchainTxHash, block: Number(row?.['onchain_block_number']) }
    },

    /** Calls the contract outside of Perigee. */
    publishByHand: (key: Hex, args: readonly [wallet: Hex, txHash: Hex, cid: string]) =>
      anvil.mined(
        walletOf(key).writeContract({ address: contract, abi: serviceAttestationsAbi, functionName: 'publish', args }),
      ),

    /** Changes a record until `restore`. */
    async change(slug: string, column: string, value: unknown): Promise<void> {
      const row = await rowOf(slug)
      const set = (to: unknown) => database.query(`UPDATE publications SET ${column} = $2 WHERE slug = $1`, [slug, to])
      undo.push(() => set(row?.[column]))
      await set(value)
    },
    /** What happens on the chain from here on is gone after `restore`. */
    async snapshotChain(): Promise<void> {
      const snapshot = await rpc('evm_snapshot', [])
      undo.push(() => rpc('evm_revert', [snapshot]))
    },
    onRestore(work: () => Promise<unknown>): void {
      undo.push(work)
    },
    async restore(): Promise<void> {
      for (const work of undo.splice(0).reverse()) await work()
    },
    async close(): Promise<void> {
      await Promise.all([fresh.close(), anvil.close()])
    },
  }
}

export type Reconciliation = Awaited<ReturnType<typeof startReconciliation>>

export const kindsOf = ({ mismatches }: Reconciled) => [...new Set(mismatches.map(({ kind }) => kind))].sort()
