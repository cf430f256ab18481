import type { ReceiptVerdict } from '@perigee/core/receipt/verify'
import { Note } from '../components/Note.js'
import { forgedMember } from './forgedMember.js'

/** The outcome in one sentence. It names what was not checked, and claims no more than was proved. */
export function Verdict({ verdict, tamper }: { verdict: ReceiptVerdict; tamper: boolean }) {
  const { verified, simulated, failed, unchecked, skipped, steps } = verdict
  const count = `${steps.length - failed.length - skipped.length} of ${steps.length} checks passed`
  if (!verified && unchecked.length === failed.length) {
    const why = steps.find((step) => step.unchecked && step.code !== 'step_not_run')?.detail
    return (
      <Note tone="warn" title="Could not be checked." text={`${count}; ${failed.length} could not be made: ${why}.`}>
        <p>
          That says nothing against the receipt, and it is not verified. Try again, or use the command below with
          another node and gateway.
        </p>
      </Note>
    )
  }
  if (!verified) {
    const advice = tamper
      ? `As expected: one digit of the ${forgedMember[verdict.kind ?? 'transaction']} was changed in this copy.`
      : 'Do not rely on this receipt before you know why. The failed checks are open below.'
    return <Note tone="bad" title="Not verified." text={`${count}; ${failed.length} failed. ${advice}`} />
  }
  // The box below checks an opening, and says so itself.
  const left = skipped.map((step) => (step === 'opening' ? 'the opening, see below' : step))
  const passed = `${count}.${left.length > 0 ? ` Not checked: ${left.join(', ')}.` : ''}`
  if (!simulated) return <Note tone="good" title="Verified by your own browser." text={passed} />
  const meaning =
    'The receipt is what it claims to be: a development receipt, which proves nothing about real hardware.'
  return <Note tone="warn" title="Every check passes, on simulated hardware." text={`${passed} ${meaning}`} />
}
