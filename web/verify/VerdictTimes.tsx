import type { ReceiptVerdict } from '@perigee/core/receipt/verify'
import { Facts } from '../components/Facts.js'
import { formatTime } from '../format/formatTime.js'

/** Both times by their names, and which of them counted. `apart`: a sentence when they are far from each other. */
export function VerdictTimes({ verdict, apart }: { verdict: ReceiptVerdict; apart: string | null }) {
  const { kind, signedAt, blockTime, asOf } = verdict
  if (signedAt === null || asOf === null || !Number.isFinite(asOf)) return null
  return (
    <section aria-label="Times">
      <Facts
        facts={[
          [kind === 'birth' ? 'createdAt' : 'signedAt', <>{formatTime(signedAt)}, by the enclave’s clock</>],
          [
            'blockTime',
            blockTime === null ? (
              'none: without an event, nobody else saw the time'
            ) : (
              <>{formatTime(blockTime)}, by the chain</>
            ),
          ],
          ['Judged as of', formatTime(asOf)],
        ]}
      />
      {apart && <p role="note">{apart}</p>}
    </section>
  )
}
