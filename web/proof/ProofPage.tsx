import { ErrorNote } from '../components/ErrorNote.js'
import { SearchField } from '../components/SearchField.js'
import { Shell } from '../components/Shell.js'
import { useVerification } from '../verify/useVerification.js'
import { VerifyHere } from '../verify/VerifyHere.js'
import type { ProofPayload, ServiceError } from '@perigee/sdk/proof'
import { Badge } from './Badge.js'
import { isStuck } from './progress/isStuck.js'
import { OperatorLink } from './OperatorLink.js'
import { ProofLinks } from './ProofLinks.js'
import { ReceiptFacts } from './facts/ReceiptFacts.js'
import { claimedProof } from './ShownProof.js'
import { SimulatedBanner } from './SimulatedBanner.js'
import { StandingChip } from './StandingChip.js'
import { statusWords } from './progress/statusWords.js'
import { Timeline } from './progress/Timeline.js'
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
  return <Proof slug={slug} answer={proof} error={error} />
}

const refusedWords = {
  title: 'Not confirmed by your browser',
  meaning: 'Your browser checked what the service says and could not confirm it. The checks below say why.',
  tone: 'bad',
} as const

/** What the service answers, until this browser has verified it: from then on, what the verified bytes say. */
function Proof({ slug, answer, error }: { slug: string; answer: ProofPayload; error: ServiceError | null }) {
  const verification = useVerification({ kind: 'proof', slug }, answer)
  const proof = verification.judged(claimedProof(answer))
  const { title, meaning, tone } = proof.standing === 'refused' ? refusedWords : statusWords[proof.kind][proof.status]
  return (
    <Shell title={title}>
      <div className="proof-head">
        <p className="fine">Proof {slug}</p>
        <div aria-live="polite">
          <h1>{title}</h1>
          <p className="lead">{meaning}</p>
        </div>
        <p>
          <StandingChip standing={proof.standing} />
        </p>
        {error && (
          <p className="fine" role="status">
            The service is not answering right now ({error.code}). What you see may be out of date.
          </p>
        )}
      </div>
      {proof.receipt?.simulated && <SimulatedBanner />}
      <section
        className={tone === 'good' && proof.standing !== 'verified' ? 'card' : `card tone-${tone}`}
        aria-label="Progress"
      >
        <Timeline proof={proof} />
        {isStuck(answer) && <OperatorLink slug={slug} />}
      </section>
      <ReceiptFacts proof={proof} />
      {answer.ipfsCid !== null && <VerifyHere verification={verification} kind={answer.kind} name={slug} />}
      <ProofLinks proof={proof} answer={answer} />
      <Badge slug={slug} status={answer.status} />
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
