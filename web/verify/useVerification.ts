import type { Target } from '@perigee/core/receipt/gather'
import type { StepResult, TcbThenAndNow } from '@perigee/core/receipt/verify'
import type { ProofPayload } from '@perigee/sdk/proof'
import { useEffect, useRef, useState } from 'react'
import { useConfig } from '../config/ConfigContext.js'
import type { ShownProof } from '../proof/ShownProof.js'
import type { Trust, Verification } from './runVerification.js'

interface State {
  /** What was verified: a verdict is shown only beside exactly that. */
  subject: string
  running: boolean
  tamper: boolean
  steps: StepResult[]
  /** What is being fetched or searched, when that takes long. */
  progress: string
  trust: Trust | null
  result: Verification | null
  tcb: TcbThenAndNow | null
  error: unknown
}

/** After this long a visitor wants to know what takes so long. */
const longMs = 2000

const idle: State = {
  subject: '',
  running: false,
  tamper: false,
  steps: [],
  progress: '',
  trust: null,
  result: null,
  tcb: null,
  error: null,
}

/** Files of the visitor's own. */
export interface OwnFiles {
  anchors: File | null
  collateral: File | null
}

export interface VerificationState extends Omit<State, 'subject'> {
  /** The service has changed its answer since it was verified. */
  outdated: boolean
  /** Returns what was verified; null where the check did not pass, or was overtaken by another. */
  verify(tamper: boolean, files: OwnFiles): Promise<ShownProof | null>
  /** Replaces what is claimed by what was verified, or marks it as refused. */
  judged(claimed: ShownProof): ShownProof
}

/** The checks of the verifier, run in the visitor's own browser when asked. `shown` is the service's answer, if any. */
export function useVerification(target: Target, shown?: ProofPayload): VerificationState {
  const config = useConfig()
  const [state, setState] = useState(idle)
  const latest = useRef(0)
  const subject = JSON.stringify([target, shown])

  const run = async (tamper: boolean, { anchors, collateral }: OwnFiles): Promise<ShownProof | null> => {
    const turn = ++latest.current
    const update = (patch: Partial<State>) => {
      if (turn === latest.current) setState((old) => ({ ...old, ...patch }))
    }
    setState({ ...idle, subject, running: true, tamper })
    let line = ''
    let isLong = false
    const patience = setTimeout(() => {
      isLong = true
      update({ progress: line }) // the one source that does not answer says nothing more
    }, longMs)
    const onProgress = (progress: string) => {
      line = progress
      if (isLong) update({ progress })
    }
    try {
      const { loadTrust, runVerification } = await import('./runVerification.js')
      const trust = await loadTrust(anchors)
      update({ trust })
      const onSteps = (steps: StepResult[]) => update({ steps })
      const result = await runVerification(target, config, { shown, trust, tamper, onSteps, onProgress })
      update({ result, running: false })
      if (!tamper) {
        void result.readTcb(collateral).then(
          (tcb) => update({ tcb }),
          (error: unknown) => update({ error }),
        )
      }
      return turn === latest.current ? result.verified : null
    } catch (error) {
      update({ error, running: false })
      return null
    } finally {
      clearTimeout(patience)
    }
  }

  const outdated = state.subject !== '' && state.subject !== subject
  const { subject: _subject, ...current } = outdated ? { ...idle, running: state.running } : state
  const { result, error, tamper } = current
  useEffect(() => {
    if (result) performance.mark('perigee:verdict')
  }, [result])
  return {
    ...current,
    outdated,
    verify: run,
    judged(claimed) {
      if (tamper || (!result && error === null)) return claimed
      if (result?.verified) return result.verified
      // A source that is down or limited says nothing about the receipt; a false answer of the service is refuted.
      const isFalse = result
        ? result.verdict.unchecked.length < result.verdict.failed.length
        : (Object(error) as { code?: string }).code === 'claim_mismatch'
      return isFalse ? { ...claimed, standing: 'refused' } : claimed
    },
  }
}
