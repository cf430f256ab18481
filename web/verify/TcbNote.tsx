import type { TcbThenAndNow } from '@perigee/core/receipt/verify'
import { Facts } from '../components/Facts.js'
import { formatTime } from '../format/formatTime.js'

/** Firmware status then and now. "Now" names the collateral it rests on, and says no more than that. */
export function TcbNote({ tcb: { then, now } }: { tcb: TcbThenAndNow }) {
  return (
    <section aria-label="Firmware status then and now">
      <Facts
        facts={[
          [
            'Firmware then',
            <>
              <strong>{then.status}</strong>, as the service found on {formatTime(then.at)}. The quote check above
              repeats that.
            </>,
          ],
          [
            'Firmware now',
            now.kind === 'checked' ? (
              <>
                <strong>{now.status}</strong>, checked just now with the vendor’s collateral of{' '}
                {formatTime(now.issuedAt)}, in force until {formatTime(now.expiresAt)}, taken from {now.source}. If the
                vendor has published something newer, this page has not seen it.
              </>
            ) : now.kind === 'refused' ? (
              <>
                <span className="chip bad">FAIL</span> {now.reason} <code>{now.code}</code>
              </>
            ) : (
              <>
                <span className="chip busy">SKIP</span> {now.reason}
              </>
            ),
          ],
        ]}
      />
    </section>
  )
}
