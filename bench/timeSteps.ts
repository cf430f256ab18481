import type { SignDigestInput } from '@perigee/core/workflow'
import type { PerigeeActivities } from '../workers/createActivities.js'

export const steps = ['fetchEntropy', 'signInEnclave', 'verifyQuote', 'recordSignature'] as const
type Step = (typeof steps)[number]
/** Milliseconds of every signature, by step; `whole` is their sum. */
export type StepTimes = Record<Step | 'whole', number[]>

/** The signing activities with each of the four steps timed. */
export function timeSteps(activities: PerigeeActivities['sign']) {
  let times = none()
  const timed = <A extends unknown[], R>(step: Step, run: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      const start = performance.now()
      const result = await run(...args)
      times[step].push(performance.now() - start)
      return result
    }
  }
  const sign = {
    ...activities,
    fetchEntropy: timed('fetchEntropy', activities.fetchEntropy as never) as typeof activities.fetchEntropy,
    signInEnclave: timed('signInEnclave', activities.signInEnclave),
    verifyQuote: timed('verifyQuote', activities.verifyQuote),
    recordSignature: timed('recordSignature', activities.recordSignature),
  }

  return {
    sign,
    /** The same four steps as in the workflow, here and now, without Temporal. */
    async signDirectly(input: SignDigestInput): Promise<void> {
      const { walletId, digest, transaction } = input
      const found = await sign.fetchEntropy({ kind: 'sign', walletId, digest })
      if ('signed' in found) throw new Error('this digest was signed before')
      const entropy = found.sample
      const signed = await sign.signInEnclave({ ...input, entropy })
      const { keyId, address, nonce, coordinator, answer } = signed
      const request = { keyId, address, nonce, transaction, digest, entropy }
      const coordinatorReportHash = coordinator.reportHash
      const verified = await sign.verifyQuote({ kind: 'sign', request: { ...request, coordinatorReportHash }, answer })
      await sign.recordSignature({ ...input, entropy, signed, verified })
    },
    take(): StepTimes {
      const taken = times
      times = none()
      taken.whole = taken.recordSignature.map((_, i) => steps.reduce((sum, step) => sum + (taken[step][i] ?? 0), 0))
      return taken
    },
  }
}

const none = (): StepTimes => ({
  fetchEntropy: [],
  signInEnclave: [],
  verifyQuote: [],
  recordSignature: [],
  whole: [],
})
