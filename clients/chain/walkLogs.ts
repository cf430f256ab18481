import { eventRange } from './ChainConfig.js'
import type { Chain } from './createChain.js'
import { readLogs, type PublishedLog } from './readLogs.js'

const blocksPerRequest = 2_000n

/** Every event of the contract and of those before it, up to the newest block, one range of blocks at a time. */
export async function* walkLogs({ config, head, rpcs }: Chain): AsyncGenerator<PublishedLog[]> {
  const last = await head()
  const { contract, fromBlock: first } = eventRange(config)
  for (let fromBlock = first; fromBlock <= last; fromBlock += blocksPerRequest) {
    const end = fromBlock + blocksPerRequest - 1n
    const range = { contract, fromBlock, toBlock: end < last ? end : last }
    yield await rpcs.first((client) => readLogs(client, range))
  }
}
