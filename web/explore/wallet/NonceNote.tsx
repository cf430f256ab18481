import { nonceCoverage, rangesOf } from '@perigee/core/receipt/wallet'
import { Note, type NoteProps } from '../../components/Note.js'
import { chainName } from '../../format/chains.js'
import { useConfig } from '../../config/ConfigContext.js'
import { isMessage, isTransaction, type Row } from './useWalletReceipts.js'

/** Whether any transaction of the wallet lacks a receipt, in one sentence, or that this is unknown. Never green: nothing is verified here. */
export function NonceNote({ rows, count, searchedAll }: { rows: Row[]; count: number; searchedAll: boolean }) {
  const { chainId } = useConfig()
  const chain = chainName(chainId)
  const outcomes = rows.map(({ outcome }) => outcome)
  const read = outcomes.filter(isTransaction)
  const unread = rows.length - read.length - outcomes.filter(isMessage).length
  const receipts = read.filter(({ mined }) => mined === true).map(({ transaction }) => transaction.nonce)
  const waiting = read.filter(({ mined }) => mined === false).length
  const { kind, missing } = nonceCoverage({ count, receipts, unread, searchedAll })
  const tones = { none: '', covered: '', missing: 'bad', unknown: 'warn' } as const
  return (
    <Note tone={tones[kind]} {...wordsOf()}>
      {waiting > 0 && (
        <p className="fine">
          {waiting === 1 ? 'One receipt is' : `${waiting} receipts are`} for a transaction that {chain} has not
          included.
        </p>
      )}
    </Note>
  )

  function wordsOf(): Pick<NoteProps, 'title' | 'text'> {
    if (kind === 'none') return { text: `This wallet has sent nothing on ${chain} yet.` }
    if (kind === 'covered') {
      const one = `The one transaction of this wallet on ${chain} has one. It was not verified here: open it to verify it.`
      const all = `All ${count} transactions of this wallet on ${chain} have one. None was verified here: open one to verify it.`
      return { title: 'A receipt is published for every nonce.', text: count === 1 ? one : all }
    }
    if (kind === 'missing') {
      const who = chain === 'the local chain' ? 'The local chain' : chain
      return {
        title: `${missing.length} of ${count} nonces lack a receipt:`,
        text: `${rangesOf(missing)}. ${who} has included these transactions of the wallet, and no event names a receipt for them. The newest may still be on their way; others were signed without a public proof.`,
      }
    }
    const found = `${count - missing.length} of ${count} nonces have a published receipt among those read so far.`
    const next = searchedAll ? 'Read the remaining receipts' : 'Search older blocks and read the rest'
    return { title: 'Not known yet.', text: `${found} Not found yet: ${rangesOf(missing)}. ${next} to be sure.` }
  }
}
