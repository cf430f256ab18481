import { formatEther } from 'viem'
import { createChain } from '../../clients/chain/createChain.js'
import { readPublisher } from '../../clients/chain/publisher/monitorPublishers.js'
import { countUnfinished, findSenders, walkSlots } from '../../database/index.js'
import type { OpsConfig } from '../config.js'
import { withDatabase } from '../connections.js'
import type { Outcome } from '../Outcome.js'

/** Shows each publishing key as chain and database see it. */
export function publisher(config: OpsConfig): Promise<Outcome> {
  const { chain: chainConfig, publishers, minimumBalanceWei: minimumWei } = config.chain()
  const chain = createChain(chainConfig)
  return withDatabase(config, async (database) => {
    const senders = [...new Set([...publishers, ...(await findSenders(database, chainConfig.chainId))])]
    const keys = await Promise.all(
      senders.map(async (sender) => {
        const { balanceWei, spentWeiPerDay, ...state } = await readPublisher({ database, chain, minimumWei }, sender)
        const isPublisher = await chain.isPublisher(sender)
        const open: { nonce: number; offers: number; proofs: number; since: string }[] = []
        for await (const { nonce, hashes, proofs, since } of walkSlots(database, chainConfig.chainId, sender, 'open')) {
          if (nonce >= state.nonce) open.push({ nonce, offers: hashes.length, proofs, since: since.toISOString() })
        }
        return {
          ...state,
          balance: formatEther(balanceWei),
          balanceWei: String(balanceWei),
          spentWeiPerDay: String(spentWeiPerDay),
          isPublisher,
          open,
        }
      }),
    )
    const waiting = await countUnfinished(database)
    const lines = keys.flatMap(({ sender, nonce, inFlight, balance, balanceLow, daysLeft, isPublisher, open }) => [
      `${sender}  nonce ${nonce}  in flight ${inFlight}  balance ${shorten(balance)} ETH${lasting(daysLeft)}${balanceLow ? '  TOO LOW' : ''}${
        isPublisher ? '' : '  NOT A PUBLISHER'
      }`,
      ...open.map((slot) => `  nonce ${slot.nonce}: ${slot.proofs} proofs, ${slot.offers} offers, since ${slot.since}`),
    ])
    lines.push(
      `unfinished: ${Object.entries(waiting)
        .map(([status, count]) => `${count} ${status}`)
        .join(', ')}`,
    )
    const isWrong = keys.some(({ balanceLow, isPublisher }) => balanceLow || !isPublisher)
    return { lines, json: { publishers: keys, waiting }, exitCode: isWrong ? 1 : 0 }
  })
}

const lasting = (daysLeft: number | null): string =>
  daysLeft === null ? '' : ` (lasts ${daysLeft} days at last week's rate)`

/** Six decimals for people; the JSON has all of them. */
const shorten = (ether: string): string => ether.replace(/(\.[0-9]{6})[0-9]+$/, '$1')
