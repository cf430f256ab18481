import type { Logger } from 'pino'
import type { DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import { countInFlight, countPins, countUnfinished } from '../../database/index.js'
import type { Chain } from './createChain.js'
import type { PublisherState, PublishingMeter } from '../PublishingMeter.js'

export interface WatchInput {
  database: DataSource
  chain: Chain
  publisher: { senders: readonly Hex[] }
  meter: PublishingMeter
  log: Logger
  minimumWei: bigint
  everyMs?: number
}

/** The state of one publishing key, from chain and database. */
export async function readPublisher(
  { database, chain, minimumWei }: Pick<WatchInput, 'database' | 'chain' | 'minimumWei'>,
  sender: Hex,
): Promise<PublisherState> {
  const [nonce, balanceWei] = await Promise.all([chain.minedCount(sender), chain.balance(sender)])
  const { count } = await countInFlight(database, chain.config.chainId, sender, nonce)
  return { sender, nonce, inFlight: count, balanceWei, balanceLow: balanceWei < minimumWei }
}

/** Looks at keys, proofs and pins from time to time, for the metrics; says in the log when a key runs low. */
export function watchPublishers({ everyMs = 15_000, ...input }: WatchInput) {
  const { database, publisher, meter, log } = input
  const low = new Set<string>()

  async function look(): Promise<void> {
    meter.proofs(await countUnfinished(database))
    for (const [node, count] of Object.entries(await countPins(database))) meter.pinsHeld(node, count)
    for (const sender of publisher.senders) {
      const state = await readPublisher(input, sender)
      meter.publisher(state)
      const balanceWei = String(state.balanceWei)
      if (state.balanceLow && !low.has(sender)) log.warn({ sender, balanceWei }, 'the publishing key runs low: fund it')
      if (!state.balanceLow && low.has(sender)) log.info({ sender, balanceWei }, 'the publishing key is funded again')
      if (state.balanceLow) low.add(sender)
      else low.delete(sender)
    }
  }

  let looking: Promise<void> = Promise.resolve()
  const lookOnce = () => {
    // Database or chain may be away: their own users say so, and the gauges keep their last value.
    looking = looking
      .then(look)
      .catch((error: unknown) => log.debug({ err: error }, 'publishing could not be looked at'))
  }
  lookOnce()
  const timer = setInterval(lookOnce, everyMs)
  return {
    async stop(): Promise<void> {
      clearInterval(timer)
      await looking
    },
  }
}
