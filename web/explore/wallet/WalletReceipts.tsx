import { formatEther, type Hex } from 'viem'
import { chainName } from '../../format/chains.js'
import { Hash } from '../../components/Hash.js'
import { Loading } from '../../components/Loading.js'
import { Shell } from '../../components/Shell.js'
import { useConfig } from '../../config/ConfigContext.js'
import { Failure } from '../Failure.js'
import { NonceNote } from './NonceNote.js'
import { WalletBirth } from './WalletBirth.js'
import { isFailed, isMessage, isTransaction, useWalletReceipts, type Row } from './useWalletReceipts.js'

/** The birth of a wallet, every receipt the chain names for it, and whether any of its transactions lacks one. */
export function WalletReceipts({ address }: { address: Hex }) {
  const { chainId } = useConfig()
  const wallet = useWalletReceipts(address)
  const { rows, shown, loaded, error, from } = wallet
  return (
    <Shell title="Wallet">
      <div className="proof-head">
        <h1>Receipts of a wallet</h1>
        <Hash value={address} what="the wallet" whole />
      </div>
      <WalletBirth address={address} />
      {error !== null && <Failure what="The chain could not be read." error={error} again={wallet.again} />}
      {!loaded && error === null && <Loading words="Searching the chain…" />}
      {loaded && (
        <>
          <NonceNote rows={rows} count={wallet.count} searchedAll={from === 0} />
          <section className="card" aria-labelledby="receipts-title">
            <div className="spread">
              <h2 id="receipts-title">Published receipts</h2>
              <span className="chip">
                {rows.length} on {chainName(chainId)}
              </span>
            </div>
            {rows.length === 0 && (
              <p className="empty">
                None. Either this wallet is not one of ours, or nothing it signed is published yet.
              </p>
            )}
            <ul className="list ruled history">
              {rows.slice(0, shown).map((row) => (
                <ReceiptRow key={row.event.txHash + row.event.ipfsCid} row={row} />
              ))}
            </ul>
            <div className="actions">
              {shown < rows.length && (
                <button type="button" className="button" onClick={wallet.readMore}>
                  Load more ({rows.length - shown} left)
                </button>
              )}
              {rows.some(({ outcome }) => isFailed(outcome)) && (
                <button type="button" className="button quiet" onClick={wallet.retryFailed}>
                  Read the failed ones again
                </button>
              )}
              {from > 0 && (
                <button type="button" className="button quiet" onClick={wallet.searchOlder}>
                  Search before block {from}
                </button>
              )}
            </div>
            {wallet.olderError && <p className="field-error">{wallet.olderError}</p>}
            <p className="fine">
              Newest first, from the contract’s events. Each receipt was fetched from IPFS, and its transaction’s hash
              and signature were computed again here; to check its hardware evidence, open it. What a message says is
              hidden; it uses no nonce.
            </p>
          </section>
        </>
      )}
    </Shell>
  )
}

function ReceiptRow({ row: { event, outcome } }: { row: Row }) {
  return (
    <li>
      <a href={`/r/${encodeURIComponent(event.ipfsCid)}`}>
        <span>{wordsOf(outcome)}</span>
        <span className="fine">
          {isMessage(outcome) ? 'Commitment' : 'Transaction'} <code>{short(event.txHash)}</code>
          {isTransaction(outcome) && ` on ${chainName(outcome.transaction.chainId)}`} · receipt{' '}
          <code>{short(event.ipfsCid)}</code> · block {event.blockNumber}
        </span>
        {isFailed(outcome) && <span className="field-error wrap">{outcome.failed}</span>}
      </a>
      {isTransaction(outcome) && <span className="chip">nonce {outcome.transaction.nonce}</span>}
    </li>
  )
}

function wordsOf(outcome: Row['outcome']) {
  if (isMessage(outcome)) return <strong>{outcome.message.isTyped ? 'Signed typed data' : 'Signed a message'}</strong>
  if (!isTransaction(outcome)) return <strong>{isFailed(outcome) ? 'Could not be read' : 'Reading…'}</strong>
  const { value, to } = outcome.transaction
  return (
    <>
      <strong>{formatEther(BigInt(value))} ETH</strong> to <code>{short(to)}</code>
    </>
  )
}

const short = (text: string) => `${text.slice(0, 10)}…${text.slice(-6)}`
