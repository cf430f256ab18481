import { useAttestation, type ProofStatus } from '@perigee/sdk'
import { formatEther } from 'viem'
import { formatTime } from '../format/formatTime.js'
import { statusWords } from '../proof/progress/statusWords.js'
import type { SentTransaction } from './history.js'

/** What this browser has sent from this wallet. */
export function HistoryList({ sent }: { sent: readonly SentTransaction[] }) {
  return (
    <section className="card" aria-labelledby="history-title">
      <h2 id="history-title">Sent from this browser</h2>
      {sent.length === 0 ? (
        <p className="empty">Nothing yet. What you send will appear here with its proof.</p>
      ) : (
        <ul className="list ruled history">
          {sent.map((transaction) => (
            <Row key={transaction.slug} transaction={transaction} />
          ))}
        </ul>
      )}
      <p className="fine">
        This list is kept in this browser only. The service lists no proofs, so it cannot be used to find those of a
        wallet.
      </p>
    </section>
  )
}

function Row({ transaction: { slug, to, wei, at } }: { transaction: SentTransaction }) {
  const { proof, error } = useAttestation(slug)
  return (
    <li>
      <a href={`/p/${slug}`}>
        <span>
          <strong>{formatEther(BigInt(wei))} ETH</strong> to <code>{`${to.slice(0, 8)}…${to.slice(-6)}`}</code>
        </span>
        <span className="fine">{formatTime(at)}</span>
      </a>
      <Status status={proof?.status} unknown={error?.status === 404} />
    </li>
  )
}

function Status({ status, unknown }: { status: ProofStatus | undefined; unknown: boolean }) {
  if (!status) return <span className="chip">{unknown ? 'unknown' : '…'}</span>
  const { tone, short } = statusWords.transaction[status]
  return <span className={`chip ${tone}`}>{short}</span>
}
