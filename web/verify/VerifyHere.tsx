import type { StepResult } from '@perigee/core/receipt/verify'
import { useRef, useState } from 'react'
import { DownloadButton } from '../components/DownloadButton.js'
import { Hash } from '../components/Hash.js'
import { useConfig } from '../config/ConfigContext.js'
import type { Whereabouts } from './gatherEvidence.js'
import { printBundle } from './printBundle.js'
import type { Trust, Verification } from './runVerification.js'
import { StepList } from './StepList.js'
import { TcbNote } from './TcbNote.js'
import { Verdict } from './Verdict.js'

interface State {
  running: boolean
  tamper: boolean
  steps: StepResult[]
  trust: Trust | null
  result: Verification | null
  error: { message: string; otherBytes: boolean } | null
}

const idle: State = { running: false, tamper: false, steps: [], trust: null, result: null, error: null }

/** The checks of the verifier, run in the visitor's own browser. Its code is loaded only when asked for. */
export function VerifyHere({ proof, name }: { proof: Whereabouts; name: string }) {
  const config = useConfig()
  const [state, setState] = useState(idle)
  const [file, setFile] = useState<File | null>(null)
  const [collateral, setCollateral] = useState<File | null>(null)
  const latest = useRef(0)

  const verify = async (tamper: boolean) => {
    const turn = ++latest.current
    const update = (patch: Partial<State>) => {
      if (turn === latest.current) setState((old) => ({ ...old, ...patch }))
    }
    setState({ ...idle, running: true, tamper })
    let steps: StepResult[] = []
    try {
      const { loadTrust, runVerification } = await import('./runVerification.js')
      const trust = await loadTrust(file)
      update({ trust })
      const onStep = (step: StepResult) => update({ steps: (steps = [...steps, step]) })
      const result = await runVerification(proof, config, { trust, tamper, collateral, onStep })
      update({ result, running: false })
    } catch (error) {
      const { message = String(error), code } = Object(error) as { message?: string; code?: string }
      update({ error: { message, otherBytes: code === 'cid_mismatch' }, running: false })
    }
  }

  const { running, steps, trust, result, error, tamper } = state
  return (
    <section className="card" aria-labelledby="verify-title">
      <h2 id="verify-title">Verify here</h2>
      <p>
        Your browser fetches the receipt from IPFS and the event from the chain, and repeats every check itself. It does
        not ask the service.
      </p>
      <div className="actions">
        <button type="button" className="button primary" disabled={running} onClick={() => void verify(false)}>
          {running ? 'Verifying…' : 'Verify in this browser'}
        </button>
        <button type="button" className="button quiet" disabled={running} onClick={() => void verify(true)}>
          Try it with a forged amount
        </button>
      </div>
      {error !== null && <NotChecked {...error} />}
      {result && <Verdict verdict={result.verdict} tamper={tamper} />}
      {result && result.notes.length > 0 && <p className="fine">Could not be fetched: {result.notes.join(' ')}</p>}
      <StepList steps={steps} />
      {result?.tcb && !tamper && <TcbNote tcb={result.tcb} />}
      {result && trust && !tamper && (
        <div className="actions">
          <DownloadButton
            name={`perigee-bundle-${name}.json`}
            content={() => printBundle(result.evidence, trust)}
            label="Download everything for an offline check"
          />
        </div>
      )}
      <details>
        <summary>Whom this check believes</summary>
        <p>
          Which hardware makers’ roots, published builds and contracts count is your choice, not the receipt’s.{' '}
          {trust ? (
            <>
              Used: {trust.source}, <Hash value={trust.cid} what="the CID of the anchors" />.
            </>
          ) : (
            'Unless you give a file, this page uses what this site offers.'
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

/** A gateway that is away is one thing; one that gives something else under this CID is another. */
function NotChecked({ message, otherBytes }: { message: string; otherBytes: boolean }) {
  return (
    <div className="note note-bad" role="alert">
      <p>
        <strong>{otherBytes ? 'Not this receipt: the bytes were changed.' : 'The check could not be made.'}</strong>{' '}
        {otherBytes ? 'They do not hash to this CID.' : message}
      </p>
      <p>
        {otherBytes
          ? 'Do not believe what the gateway gave; the true bytes may be had elsewhere.'
          : 'That says nothing about the receipt.'}{' '}
        Try again, or use the command below with another gateway.
      </p>
    </div>
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
