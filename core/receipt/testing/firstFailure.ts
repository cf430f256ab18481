import { isErrorCode } from '../../errors/index.js'
import { checkReceipt } from '../verify/index.js'
import type { ReceiptEvidence, StepResult, VerifyReceiptOptions } from '../verify/types.js'

/** The first step that fails; null when all pass. Steps after it do not run, which saves most of the time. */
export async function firstFailure(
  evidence: ReceiptEvidence,
  options: VerifyReceiptOptions,
): Promise<StepResult | null> {
  for await (const step of checkReceipt(evidence, options)) {
    if (step.status === 'fail') return step
  }
  return null
}

/** The code of a failure; says so when it passed, or failed without a code that we know. */
export function codeFor(failure: StepResult | null): string {
  if (failure === null) return 'passed'
  const { step, code } = failure
  return isErrorCode(code) && code !== 'internal_error' ? code : `stray ${code} in ${step}`
}
