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
  error: string | null
}

const idle: State = { running: false, tamper: false, steps: [], trust: null, result: null, error: null }

/** The checks of the verifier, run in the visitor's own browser. Its code is loaded only when asked for. */
export function VerifyHere({ proof, name }: { proof: Whereabouts; name: string }) {
  const config = useConfig()
  const [state, setState] = useState(idle)
  const [file, setFile] = useState<File | null>(null)
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
      update({ result: await runVerification(proof, config, trust, tamper, onStep), running: false })
    } catch (error) {
      update({ error: error instanceof Error ? error.message : String(error), running: false })
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
      {error !== null && (
        <div className="note note-bad" role="alert">
          <p>
            <strong>The check could not be made.</strong> {error}
          </p>
          <p>That says nothing about the receipt. Try again, or use the command below with another gateway.</p>
        </div>
      )}
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
        <label htmlFor="anchors">Your own trust anchors (perigee-trust/1)</label>
        <input
          id="anchors"
          type="file"
          accept="application/json,.json"
          onChange={(event) => setFile(event.target.files?.[0] ?? null)}
        />
      </details>
    </section>
  )
}
