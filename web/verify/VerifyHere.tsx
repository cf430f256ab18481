import type { ReceiptKind } from '@perigee/core/receipt'
import { useState } from 'react'
import { DownloadButton } from '../components/DownloadButton.js'
import { Hash } from '../components/Hash.js'
import { OpeningBox } from '../opening/OpeningBox.js'
import { forgedMember } from './forgedMember.js'
import { NoVerdict } from './NoVerdict.js'
import { StepList } from './StepList.js'
import { TcbNote } from './TcbNote.js'
import type { VerificationState } from './useVerification.js'
import { Verdict } from './Verdict.js'
import { VerdictTimes } from './VerdictTimes.js'

export interface VerifyHereProps {
  verification: VerificationState
  /** What the receipt is about. */
  kind: ReceiptKind
  /** Part of the name of the downloaded file. */
  name: string
}

/** The checks of the verifier, run in the visitor's own browser. Its code is loaded only when asked for. */
export function VerifyHere({ verification, kind, name }: VerifyHereProps) {
  const { running, steps, progress, trust, result, tcb, error, tamper, outdated, verify } = verification
  const [anchors, setAnchors] = useState<File | null>(null)
  const [collateral, setCollateral] = useState<File | null>(null)
  const files = { anchors, collateral }
  return (
    <section className="card" aria-labelledby="verify-title">
      <h2 id="verify-title">Verify here</h2>
      <p>
        Your browser fetches the receipt from IPFS and the event from the chain, repeats every check itself, and
        compares the result with what this page shows. It does not ask the service.
      </p>
      <div className="actions">
        <button type="button" className="button primary" disabled={running} onClick={() => void verify(false, files)}>
          {running ? 'Verifying…' : 'Verify in this browser'}
        </button>
        <button type="button" className="button quiet" disabled={running} onClick={() => void verify(true, files)}>
          Try it with a forged {forgedMember[kind]}
        </button>
      </div>
      {running && progress !== '' && (
        <p className="fine wrap" role="status">
          {progress}
        </p>
      )}
      {outdated && <p role="status">The proof has changed since it was verified. Verify it again.</p>}
      {error !== null && <NoVerdict error={error} />}
      {result && <Verdict verdict={result.verdict} tamper={tamper} />}
      {result && !tamper && <VerdictTimes verdict={result.verdict} apart={result.apart} />}
      {result && result.notes.length > 0 && (
        <p className="fine wrap">Could not be fetched: {result.notes.join('; ')}.</p>
      )}
      <StepList steps={steps} />
      {kind === 'message' && (
        <OpeningBox verified={(!tamper && !outdated && result?.verified) || null} verify={() => verify(false, files)} />
      )}
      {tcb && <TcbNote tcb={tcb} />}
      {result && !tamper && (
        <div className="actions">
          <DownloadButton
            name={`perigee-bundle-${name}.json`}
            content={result.printBundle}
            label="Download everything for an offline check"
          />
        </div>
      )}
      <details>
        <summary>What this check trusts</summary>
        <p>
          Which hardware makers’ roots, published builds and contracts count is your choice, not the receipt’s.{' '}
          {trust ? (
            <>
              Used: {trust.source}, <Hash value={trust.cid} what="the CID of the anchors" />.
            </>
          ) : (
            'Unless you choose a file, this page uses the anchors that this site offers.'
          )}
        </p>
        <FileField id="anchors" label="Your own trust anchors (perigee-trust/1)" onChange={setAnchors} />
        <FileField
          id="collateral"
          label="Newer collateral from Intel, for “firmware now” (JSON)"
          onChange={setCollateral}
        />
      </details>
    </section>
  )
}

function FileField({ id, label, onChange }: { id: string; label: string; onChange: (file: File | null) => void }) {
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept="application/json,.json"
        onChange={(event) => onChange(event.target.files?.[0] ?? null)}
      />
    </>
  )
}
