import { setTimeout as sleep } from 'node:timers/promises'
import { createTestClient, http, type BaseError } from 'viem'

/** Longer than anvil takes for a block that it has started. */
const lastBlockMs = 250

/**
 * Replaces the last blocks by empty ones. Returns the reason if it could not: a node that was just loaded from a file
 * cannot go back further than that.
 *
 * Mining stops meanwhile. If anvil mines during a reorg it leaves heights without a block, or one transaction in two
 * blocks with its event twice: a nonce used twice, which no chain allows. Afterwards anvil's clock would go on from the
 * last block that stayed, maybe minutes ago, so it is set.
 */
export async function reorg(rpcUrl: string, blocks: number): Promise<string | null> {
  const anvil = createTestClient({ mode: 'anvil', transport: http(rpcUrl, { timeout: 20_000, retryCount: 0 }) })
  try {
    await anvil.setAutomine(false)
    await sleep(lastBlockMs)
    try {
      await anvil.request({ method: 'anvil_reorg', params: [blocks, []] } as never)
      await anvil.request({ method: 'evm_setTime', params: [Date.now()] } as never)
      await anvil.mine({ blocks: 1 }) // transactions that came meanwhile
    } finally {
      await anvil.setAutomine(true)
    }
    return null
  } catch (error) {
    const { details, message } = error as BaseError
    return details || message
  }
}
