import { useAttestation } from '@perigee/sdk'
import { Timeline } from '../proof/progress/Timeline.js'

/** Live progress of the proof of what was just sent. */
export function LatestProof({ slug }: { slug: string }) {
  const { proof, error } = useAttestation(slug)
  return (
    <section className="card" aria-labelledby="latest-title">
      <div className="spread">
        <h2 id="latest-title">Proof of your transaction</h2>
        <a href={`/p/${slug}`}>Open the proof page</a>
      </div>
      <div aria-live="polite" className="timeline-space">
        {proof ? <Timeline proof={proof} /> : <p className="loading">Asking for the proof…</p>}
      </div>
      {error && (
        <p className="fine" role="status">
          The service is not answering right now ({error.code}); asking again every four seconds.
        </p>
      )}
    </section>
  )
}
