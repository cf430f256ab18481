import type { PublishedLog } from '@perigee/core/receipt/gather'
import { chainName, transactionUrl } from '../format/chains.js'
import { Facts } from '../components/Facts.js'
import { Hash } from '../components/Hash.js'

/** One event, with the ways on from it. */
export function EventFacts({ event, chainId }: { event: PublishedLog; chainId: number }) {
  const url = transactionUrl(chainId, event.transactionHash)
  return (
    <>
      <Facts
        facts={[
          ['Receipt', <Hash value={event.ipfsCid} what="the CID" />],
          [
            'Wallet',
            <>
              <Hash value={event.wallet} what="the wallet" /> <a href={`/w/${event.wallet}`}>all its receipts</a>
            </>,
          ],
          [
            'Published',
            <>
              In block {event.blockNumber} of {chainName(chainId)}, by{' '}
              <Hash value={event.transactionHash} what="the event’s transaction" />{' '}
              {url && <a href={url}>look it up</a>}
            </>,
          ],
        ]}
      />
      <p>
        <a href={`/r/${encodeURIComponent(event.ipfsCid)}`}>Open and verify the receipt</a>
      </p>
    </>
  )
}
