import type { WalletRow } from '@perigee/core/receipt/wallet'
import type { TrustedWalletVerdict } from './verifyWallet.js'

const column = (text: string | number, width: number) => String(text).padEnd(width)

/** The table's first line. */
export const walletHeader = ['block'.padEnd(10), 'nonce'.padEnd(8), 'receipt'.padEnd(8), 'on chain'.padEnd(10), 'delay'.padEnd(8), 'CID'].join(' ') // prettier-ignore

/** One line of the table. */
export function printRow({ blockNumber, kind, nonce, verified, included, delay, cid }: WalletRow): string {
  const onChain = kind !== 'transaction' ? '-' : included === null ? 'not asked' : included ? 'included' : 'missing'
  return [
    column(blockNumber, 10),
    column(kind !== 'transaction' ? kind : (nonce ?? '?'), 8),
    column(verified ? 'PASS' : 'FAIL', 8),
    column(onChain, 10),
    column(delay === null ? '?' : printDelay(delay), 8),
    cid,
  ].join(' ')
}

function printDelay(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`
}

/** What follows the table: findings, counts and the conclusion. */
export function printWallet(verdict: TrustedWalletVerdict): string[] {
  const { wallet, chainId, contracts, fromBlock, toBlock, trust, findings, moreFindings } = verdict
  const { births, receipts, verifiedReceipts, transactions, nonces } = verdict
  return [
    '',
    ...findings.map(
      ({ kind, isFault, subject, detail }) => `${isFault ? 'FAULT' : 'note '} ${kind} ${subject}: ${detail}`,
    ),
    ...(moreFindings > 0 ? [`and ${moreFindings} more`] : []),
    ...(findings.length > 0 ? [''] : []),
    `wallet  ${wallet}`,
    `chain   ${chainId}, events of ${contracts.join(', ')}, blocks ${fromBlock} to ${toBlock}`,
    `trust   ${trust.cid}${trust.simulated ? ' SIMULATED' : ''} (${trust.source})`,
    `found   ${births} births, ${receipts} receipts (${verifiedReceipts} verified), ${transactions} transactions, ${nonces.missing} nonces without a verified receipt`,
    '',
    conclusion(verdict),
  ]
}

function conclusion({ verified, simulated, findings }: TrustedWalletVerdict): string {
  const kinds = (fault: boolean) => [
    ...new Set(findings.filter((one) => one.isFault === fault).map(({ kind }) => kind)),
  ]
  if (!verified) return `NOT VERIFIED: ${kinds(true).join(', ')}`
  const notes = kinds(false)
  const also = notes.length === 0 ? '' : `. Read the notes: ${notes.join(', ')}`
  return `VERIFIED: one birth, every receipt, and a receipt for every nonce on this chain${also}${simulated === true ? '. SIMULATED: it proves nothing about hardware' : ''}`
}
