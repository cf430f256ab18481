import { setTimeout as sleep } from 'node:timers/promises'

/** Longer than a block that anvil has begun takes. */
const lastBlockMs = 100

/**
 * Replaces the last blocks by empty ones. Gives the reason when it was not done: a node that has just been loaded from a
 * file cannot go back behind that.
 *
 * Nothing is mined meanwhile. Anvil that mines and reorganises at once leaves heights without a block, or one transaction
 * in two blocks of its chain, with its event twice: a nonce used twice, which no chain allows.
 */
export async function reorganise(rpcUrl: string, blocks: number): Promise<string | null> {
  const ask = async (method: string, params: unknown[]): Promise<void> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(rpcUrl, { method: 'POST', headers, body, signal: AbortSignal.timeout(20_000) })
    const { error } = (await response.json()) as { error?: { message: string } }
    if (error) throw new Error(error.message)
  }
  try {
    await ask('evm_setAutomine', [false])
    await sleep(lastBlockMs)
    try {
      await ask('anvil_reorg', [blocks, []])
      await ask('evm_mine', []) // what has come meanwhile
    } finally {
      await ask('evm_setAutomine', [true])
    }
    return null
  } catch (error) {
    return (error as Error).message
  }
}
