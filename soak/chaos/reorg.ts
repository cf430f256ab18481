import { setTimeout as sleep } from 'node:timers/promises'

/** Longer than anvil takes for a block that it has started. */
const lastBlockMs = 100

/**
 * Replaces the last blocks by empty ones. Returns the reason if it could not: a node that was just loaded from a file
 * cannot go back further than that.
 *
 * Mining stops meanwhile. If anvil mines during a reorg it leaves heights without a block, or one transaction in two
 * blocks with its event twice: a nonce used twice, which no chain allows.
 */
export async function reorg(rpcUrl: string, blocks: number): Promise<string | null> {
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
      await ask('evm_mine', []) // transactions that came meanwhile
    } finally {
      await ask('evm_setAutomine', [true])
    }
    return null
  } catch (error) {
    return (error as Error).message
  }
}
