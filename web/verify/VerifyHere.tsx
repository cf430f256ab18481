import type { ReceiptKind } from '@perigee/core/receipt'
import type { Target } from '@perigee/core/receipt/gather'
import type { StepResult } from '@perigee/core/receipt/verify'
import type { ProofPayload } from '@perigee/sdk/proof'
import { useRef, useState } from 'react'
import { DownloadButton } from '../components/DownloadButton.js'
import { Hash } from '../components/Hash.js'
import { useConfig } from '../config/ConfigContext.js'
import { authorisedWords } from '../proof/authorisedWords.js'
import { NoVerdict } from './NoVerdict.js'
import type { Trust, Verification } from './runVerification.js'
import { StepList } from './StepList.js'
import { TcbNote } from './TcbNote.js'
import { Verdict } from './Verdict.js'

interface State {
  /** What was verified: a verdict is shown only beside exactly that. */
  subject: string
  running: boolean
  tamper: boolean
  steps: StepResult[]
  trust: Trust | null
  result: Verification | null
  error: unknown
}

const idle: State = { subject: '', running: false, tamper: false, steps: [], trust: null, result: null, error: null }

export interface VerifyHereProps {
  target: Target
  /** The service's answer that the page shows, when the target is a proof. */
  shown?: ProofPayload
  /** What the receipt is about. */
  kind?: ReceiptKind
  /** Part of the name of the downloaded file. */
  name: string
}

/** The checks of the verifier, run in the visitor's own browser. Its code is loaded only when asked for. */
export function VerifyHere({ target, shown, kind = 'transaction', name }: VerifyHereProps) {
  const config = useConfig()
  const [state, setState] = useState(idle)
  const [file, setFile] = useState<File | null>(null)
  const [collateral, setCollateral] = useState<File | null>(null)
  const latest = useRef(0)
  const subject = JSON.stringify([target, shown])

  const verify = async (tamper: boolean) => {
    const turn = ++latest.current
    const update = (patch: Partial<State>) => {
      if (turn === latest.current) setState((old) => ({ ...old, ...patch }))
    }
    setState({ ...idle, subject, running: true, tamper })
    let steps: StepResult[] = []
    try {
      const { loadTrust, runVerification } = await import('./runVerification.js')
      const trust = await loadTrust(file)
      update({ trust })
      const onStep = (step: StepResult) => update({ steps: (steps = [...steps, step]) })
      const result = await runVerification(target, config, { shown, trust, tamper, collateral, onStep })
      update({ result, running: false })
    } catch (error) {
      update({ error, running: false })
    }
  }

  const outdated = state.subject !== '' && state.subject !== subject
  const { running, steps, trust, result, error, tamper } = outdated ? { ...idle, running: state.running } : state
  return (
    <section className="card" aria-labelledby="verify-title">
      <h2 id="verify-title">Verify here</h2>
      <p>
        Your browser fetches the receipt from IPFS and the event from the chain, repeats every check itself, and
        compares the result with what this page shows. It does not ask the service.
      </p>
      <div className="actions">
        <button type="button" className="button primary" disabled={running} onClick={() => void verify(false)}>
          {running ? 'Verifying…' : 'Verify in this browser'}
        </button>
        <button type="button" className="button quiet" disabled={running} onClick={() => void verify(true)}>
          Try it with a forged {kind === 'birth' ? 'date' : 'amount'}
        </button>
      </div>
      {outdated && <p role="status">The proof has changed since it was verified. Verify it again.</p>}
      {error !== null && <NoVerdict error={error} />}
      {result && <Verdict verdict={result.verdict} tamper={tamper} />}
      {result?.authorisation && <p>{authorisedWords(result.authorisation, true)}</p>}
      {result && result.notes.length > 0 && <p className="fine">Could not be fetched: {result.notes.join('; ')}.</p>}
      <StepList steps={steps} />
      {result?.tcb && !tamper && <TcbNote tcb={result.tcb} />}
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
        <FileField id="anchors" label="Your own trust anchors (perigee-trust/1)" onChange={setFile} />
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
