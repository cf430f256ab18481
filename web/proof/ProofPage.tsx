import { ErrorNote } from '../components/ErrorNote.js'
import { SearchField } from '../components/SearchField.js'
import { Shell } from '../components/Shell.js'
import { VerifyHere } from '../verify/VerifyHere.js'
import { Badge } from './Badge.js'
import { BirthFacts } from './BirthFacts.js'
import { isStuck } from './isStuck.js'
import { OperatorLink } from './OperatorLink.js'
import { ProofFacts } from './ProofFacts.js'
import { ProofLinks } from './ProofLinks.js'
import { SimulatedBanner } from './SimulatedBanner.js'
import { statusWords } from './statusWords.js'
import { Timeline } from './Timeline.js'
import { useProof } from './useProof.js'

/** The public page of one proof. */
export function ProofPage({ slug }: { slug: string }) {
  const { proof, error } = useProof(slug)
  if (!proof && error?.status === 404) {
    return (
      <Shell title="Proof">
        <h1>No proof has this name</h1>
        <p>
          Check that the link is complete. A proof exists as soon as its transaction is signed, so a correct link never
          leads here.
        </p>
        <SearchField />
      </Shell>
    )
  }
  if (!proof) return error ? <Unreachable error={error} /> : <Shell title="Proof" busy />
  const { title, meaning, tone } = statusWords[proof.kind][proof.status]
  return (
    <Shell title={title}>
      <div className="proof-head">
        <p className="fine">Proof {slug}</p>
        <div aria-live="polite">
          <h1>{title}</h1>
          <p className="lead">{meaning}</p>
        </div>
        {error && (
          <p className="fine" role="status">
            The service is not answering right now ({error.code}). What you see may be out of date.
          </p>
        )}
      </div>
      {proof.receipt?.simulated && <SimulatedBanner />}
      <section className={`card tone-${tone}`} aria-label="Progress">
        <Timeline proof={proof} />
        {isStuck(proof) && <OperatorLink slug={slug} />}
      </section>
      {proof.kind === 'birth' ? <BirthFacts birth={proof} /> : <ProofFacts proof={proof} />}
      {proof.ipfsCid !== null && (
        <VerifyHere target={{ kind: 'proof', slug }} shown={proof} kind={proof.kind} name={slug} />
      )}
      <ProofLinks proof={proof} />
      <Badge slug={slug} status={proof.status} />
    </Shell>
  )
}

function Unreachable({ error }: { error: unknown }) {
  return (
    <Shell title="Proof">
      <h1>The proof cannot be loaded now</h1>
      <ErrorNote error={error} />
      <p>This page keeps asking every four seconds.</p>
    </Shell>
  )
}
