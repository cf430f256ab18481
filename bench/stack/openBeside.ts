import { privateKeyToAddress } from 'viem/accounts'
import { openDatabase } from '../../database/index.js'
import { components, freshDatabase, freshNamespace, freshPublisher, type TestChain } from '../../tests/harness/index.js'
import { workerNodeFlags } from '../../workers/nodeFlags.js'
import type { BenchStack } from './openStack.js'
import { startApiBeside, startBeside } from '../../dev/stack/programs/startBeside.js'

export interface BesideOptions {
  env?: Record<string, string>
  /** Another chain than the stack's. */
  chain?: TestChain
}

/** An API and a worker beside the stack's own, with a database, a namespace and a publishing key of their own. */
export async function openBeside(stack: BenchStack, { env = {}, chain = components() }: BesideOptions = {}) {
  const closing: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).reverse()) await step()
  }
  try {
    const [fresh, namespace, key] = await Promise.all([freshDatabase(), freshNamespace(), freshPublisher(chain)])
    closing.push(() => fresh.drop())
    const database = await openDatabase({ url: fresh.url, silentMs: 600_000 }) // filling it may take minutes
    closing.push(() => database.destroy())
    const own = {
      DATABASE_URL: fresh.url,
      TEMPORAL_NAMESPACE: namespace,
      PUBLISHER_PRIVATE_KEYS: key,
      PUBLISHER_ADDRESSES: privateKeyToAddress(key),
      CHAIN_RPC_URLS: chain.rpcUrl,
      CONTRACT_ADDRESS: chain.contractAddress,
      RELEASES_ADDRESS: chain.releasesAddress,
      ENTROPY_SUPPLY_TARGET: '128',
      ...env,
    }
    const worker = await startBeside(stack, 'workers/main.ts', own, workerNodeFlags)
    closing.push(worker.close)
    const api = await startApiBeside(stack, own)
    closing.push(api.close)
    return { database, namespace, url: api.url, pids: { worker: worker.pid, api: api.pid }, close }
  } catch (error) {
    await close()
    throw error
  }
}
