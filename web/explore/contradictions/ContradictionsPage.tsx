import type { Contradiction, ContradictionReport } from '@perigee/core/receipt/wallet'
import { Note } from '../../components/Note.js'
import { Shell } from '../../components/Shell.js'
import { Failure } from '../Failure.js'
import { useContradictions } from './useContradictions.js'

const mostShown = 100
const titles: Record<Contradiction['kind'], { title: string; tone: 'bad' | 'busy' }> = {
  sample_twice: { title: 'One entropy sample in two receipts', tone: 'bad' },
  two_receipts: { title: 'Two receipts about the same thing', tone: 'bad' },
  nonce_twice: { title: 'Two transactions with one nonce', tone: 'busy' },
}

/** Receipts that contradict one another, found by walking the contract's events alone. */
export function ContradictionsPage() {
  const { state, report, lastBlock, error, start, stop } = useContradictions()
  return (
    <Shell title="Contradictions">
      <div className="proof-head">
        <h1>Receipts that contradict one another</h1>
        <p className="lead">
          No entropy sample may serve two receipts, and no transaction, message or key may have two. Your browser walks
          all events of the contract, reads each receipt from IPFS and compares them. It does not ask the service.
        </p>
      </div>
      <section className="card" aria-label="Search">
        <div className="actions">
          {state === 'running' ? (
            <button type="button" className="button" onClick={stop}>
              Stop
            </button>
          ) : (
            <button type="button" className="button primary" onClick={start}>
              {state === 'idle' ? 'Search all receipts' : 'Search again'}
            </button>
          )}
        </div>
        <p className="fine" role="status">
          {progressWords(state, report, lastBlock)}
        </p>
      </section>
      {error !== null && <Failure what="The search ended early." error={error} again={start} />}
      {state === 'ended' && report && <Outcome report={report} />}
      {report && report.contradictions.length > 0 && <Found contradictions={report.contradictions} />}
      {report && report.unread.length > 0 && <Unread unread={report.unread} />}
    </Shell>
  )
}

function progressWords(
  state: 'idle' | 'running' | 'ended',
  report: ContradictionReport | null,
  lastBlock: number | null,
): string {
  if (state === 'idle') return 'The search may take minutes. You can stop it at any time.'
  if (lastBlock === null) return state === 'running' ? 'Asking the chain…' : 'Nothing was searched.'
  const { events = 0, searchedTo = null } = report ?? {}
  const read = `${events} ${events === 1 ? 'event' : 'events'} read`
  return `${read}; searched up to block ${searchedTo ?? 0} of ${lastBlock}.`
}

function Outcome({ report }: { report: ContradictionReport }) {
  const { contradictions, unread, isComplete, more } = report
  const rest = isComplete ? '' : ' The search was not finished, so there may be more.'
  if (contradictions.length > 0) {
    const beyond = more > 0 ? ` And ${more} more findings are not listed.` : ''
    return <Note tone="bad" role="alert" title={`${contradictions.length} found.`} text={rest + beyond} />
  }
  if (!isComplete) return <Note tone="warn" title="None found so far." text={rest} />
  if (unread.length > 0) {
    return <Note tone="warn" title="None found among the receipts that could be read." text="See below for the rest." />
  }
  return <Note tone="good" title="None found." text="Receipts were compared, not verified: open one to verify it." />
}

function Found({ contradictions }: { contradictions: readonly Contradiction[] }) {
  return (
    <section className="card" aria-labelledby="found-title">
      <h2 id="found-title">Contradictions</h2>
      <ul className="list ruled checks">
        {contradictions.slice(0, mostShown).map(({ kind, cids, detail }) => (
          <li key={kind + cids.join()}>
            <p>
              <span className={`chip standing ${titles[kind].tone}`}>{titles[kind].title}</span>
            </p>
            <p className="fine wrap">{detail}</p>
            {kind === 'nonce_twice' && <p className="fine">This is right when one replaced the other.</p>}
            <p className="fine">
              Open <ReceiptLink cid={cids[0]} /> and <ReceiptLink cid={cids[1]} />
            </p>
          </li>
        ))}
      </ul>
      {contradictions.length > mostShown && <p className="fine">The first {mostShown} are listed.</p>}
    </section>
  )
}

function Unread({ unread }: { unread: ContradictionReport['unread'] }) {
  return (
    <section className="card" aria-labelledby="unread-title">
      <h2 id="unread-title">Receipts that could not be compared</h2>
      <details>
        <summary>{unread.length} of them</summary>
        <ul className="list ruled">
          {unread.slice(0, mostShown).map(({ cid, why }, index) => (
            <li key={index} className="fine wrap">
              <code>{cid.slice(0, 80)}</code>: {why}
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}

const ReceiptLink = ({ cid }: { cid: string }) => (
  <a href={`/r/${encodeURIComponent(cid)}`}>
    {cid.slice(0, 10)}…{cid.slice(-8)}
  </a>
)
