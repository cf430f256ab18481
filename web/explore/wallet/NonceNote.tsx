import { chainName } from '../../components/chains.js'
import { useConfig } from '../../config/ConfigContext.js'
import { nonceCoverage, rangesOf } from './nonceCoverage.js'
import { isRead, type Row } from './useWalletReceipts.js'

/** Whether any transaction of the wallet lacks a receipt, in one sentence, or that this is unknown. */
export function NonceNote({ rows, count, searchedAll }: { rows: Row[]; count: number; searchedAll: boolean }) {
  const { chainId } = useConfig()
  const chain = chainName(chainId)
  const read = rows.map(({ outcome }) => outcome).filter(isRead)
  const receipts = read.filter(({ mined }) => mined === true).map(({ transaction }) => transaction.nonce)
  const waiting = read.filter(({ mined }) => mined === false).length
  const coverage = nonceCoverage({ count, receipts, unread: rows.length - read.length, searchedAll })
  const tone = { none: '', covered: 'note-good', missing: 'note-bad', unknown: 'note-warn' }[coverage.kind]
  return (
    <div className={`note ${tone}`} role="status">
      {coverage.kind === 'none' && <p>This wallet has sent nothing on {chain} yet.</p>}
      {coverage.kind === 'covered' && (
        <p>
          <strong>Every nonce has a receipt.</strong> {transactions(count)} of this wallet on {chain} {have(count)} one.
        </p>
      )}
      {coverage.kind === 'missing' && (
        <p>
          <strong>
            {coverage.missing.length} of {count} nonces lack a receipt:
          </strong>{' '}
          {rangesOf(coverage.missing)}. {chain === 'the local chain' ? 'The local chain' : chain} has included these
          transactions of the wallet, and no event names a receipt for them. The newest may still be on their way;
          others were signed without a public proof.
        </p>
      )}
      {coverage.kind === 'unknown' && (
        <p>
          <strong>Not known yet.</strong> {count - coverage.missing.length} of {count} nonces have a receipt among those
          read so far. Not found yet: {rangesOf(coverage.missing)}.{' '}
          {searchedAll
            ? 'Read the remaining receipts to be sure.'
            : 'Search older blocks and read the rest to be sure.'}
        </p>
      )}
      {waiting > 0 && (
        <p className="fine">
          {waiting === 1 ? 'One receipt is' : `${waiting} receipts are`} for a transaction that {chain} has not
          included.
        </p>
      )}
    </div>
  )
}

const transactions = (count: number) => (count === 1 ? 'The one transaction' : `All ${count} transactions`)
const have = (count: number) => (count === 1 ? 'has' : 'have')
