import { Facts } from '../components/Facts.js'
import { formatTime } from '../components/formatTime.js'
import type { TcbThenAndNow } from './tcbThenAndNow.js'

/** Firmware status then and now. "Now" is never more than the collateral at hand can tell, and says which that is. */
export function TcbNote({ tcb: { then, now } }: { tcb: TcbThenAndNow }) {
  const seconds = (text: string) => formatTime(Date.parse(text) / 1000)
  return (
    <section aria-label="Firmware status then and now">
      <Facts
        facts={[
          [
            'Firmware then',
            <>
              <strong>{then.status}</strong>, as the service judged it on {formatTime(then.at)}; the check of the quote
              repeats that judgement.
            </>,
          ],
          [
            'Firmware now',
            now.kind === 'judged' ? (
              <>
                <strong>{now.status}</strong>, judged just now with the vendor’s collateral of {seconds(now.issued)}, in
                force until {seconds(now.until)}, taken from {now.source}. If the vendor has published something newer,
                this page has not seen it.
              </>
            ) : now.kind === 'refused' ? (
              <>
                <span className="chip chip-bad">FAIL</span> {now.reason} <code>{now.code}</code>
              </>
            ) : (
              <>
                <span className="chip chip-busy">SKIP</span> {now.reason}
              </>
            ),
          ],
        ]}
      />
    </section>
  )
}
