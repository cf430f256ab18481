import type { Hex } from 'viem'
import { chainName } from '../format/chains.js'
import { Hash } from '../components/Hash.js'
import { Loading } from '../components/Loading.js'
import { SearchField } from '../components/SearchField.js'
import { Shell } from '../components/Shell.js'
import { useConfig } from '../config/ConfigContext.js'
import { EventFacts } from './EventFacts.js'
import { Failure } from './Failure.js'
import { readPublished } from './readPublished.js'
import { useLoaded } from './useLoaded.js'

/** Which receipts the chain names for a transaction, or for the commitment of a message. */
export function TransactionPage({ txHash }: { txHash: Hex }) {
  const config = useConfig()
  const { value, error, again } = useLoaded(() => readPublished(config, { txHash }), [config, txHash])
  return (
    <Shell title="Transaction or message">
      <div className="proof-head">
        <h1>Receipts of a transaction or message</h1>
        <Hash value={txHash} what="the hash" whole />
      </div>
      {error !== null && <Failure what="The events could not be read." error={error} again={again} />}
      {!value && error === null && <Loading words="Searching the chain…" />}
      {value?.events.map((event) => (
        <section className="card" key={event.transactionHash + event.ipfsCid} aria-label="Receipt">
          <EventFacts event={event} chainId={config.chainId} />
        </section>
      ))}
      {value && value.events.length > 1 && (
        <p className="fine">More than one event names a receipt; the contract allows that. Verify each of them.</p>
      )}
      {value?.events.length === 0 && (
        <>
          <section className="card">
            <h2>No receipt is published for it</h2>
            <p>
              {value.from === 0
                ? `The contract on ${chainName(config.chainId)} has no event for this hash.`
                : `The contract on ${chainName(config.chainId)} has no event for it since block ${value.from}; this node searches no further.`}{' '}
              Perhaps other wallet software signed it, its proof is not published yet, or its event is on another chain.
            </p>
          </section>
          <SearchField label="Look up something else" />
        </>
      )}
    </Shell>
  )
}
