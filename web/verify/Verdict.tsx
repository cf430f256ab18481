import type { ReceiptVerdict } from '@perigee/core/receipt/verify'

/** The outcome in one sentence. It names what was not checked, and claims no more than was proved. */
export function Verdict({ verdict, tamper }: { verdict: ReceiptVerdict; tamper: boolean }) {
  const { verified, simulated, failed, skipped, steps } = verdict
  const count = `${steps.length - failed.length - skipped.length} of ${steps.length} checks passed`
  if (!verified) {
    return (
      <div className="note note-bad" role="status">
        <p>
          <strong>Not verified.</strong> {count}; {failed.length} failed.{' '}
          {tamper
            ? 'As expected: one digit of the amount was changed in this copy.'
            : 'Do not rely on this receipt before you know why. The failed checks are open below.'}
        </p>
      </div>
    )
  }
  const rest = skipped.length > 0 ? ` Not checked: ${skipped.join(', ')}.` : ''
  if (simulated) {
    return (
      <div className="note note-warn" role="status">
        <p>
          <strong>Every check passes, on simulated hardware.</strong> {count}.{rest} The receipt is what it claims to
          be: a development receipt, which proves nothing about real hardware.
        </p>
      </div>
    )
  }
  return (
    <div className="note note-good" role="status">
      <p>
        <strong>Verified by your own browser.</strong> {count}.{rest}
      </p>
    </div>
  )
}
