import type { AttestationReceiptV1, TransactionProof } from '@perigee/sdk'
import type { ReactNode } from 'react'
import { formatEther } from 'viem'
import { chainName, transactionUrl } from '../components/chains.js'
import { Facts } from '../components/Facts.js'
import { formatTime } from '../components/formatTime.js'
import { Hash } from '../components/Hash.js'
import { authorisedWords } from './authorisedWords.js'
import { hardwareWords } from './hardwareWords.js'
import { Randomness } from './Randomness.js'

/** A proof from the service, or from a receipt alone: then it is unknown what the service has checked. */
export type ShownProof = Pick<TransactionProof, 'walletAddress' | 'receipt' | 'createdAt' | 'chainId' | 'txHash'> & {
  kmsQuoteVerified?: boolean
}

/** Who signed what, when, where, on which hardware, with which randomness: as the receipt says. Nothing is verified here. */
export function ProofFacts({ proof }: { proof: ShownProof }) {
  const { receipt } = proof
  const facts: (readonly [string, ReactNode])[] = [
    ['Who', <Who wallet={proof.walletAddress} />],
    ['What', receipt ? <What receipt={receipt} /> : 'Known when the receipt is public.'],
    ['Authorised by', receipt ? authorisedWords(receipt.authorisation, false) : 'Known when the receipt is public.'],
    ['When', formatTime(receipt?.signer.signedAt ?? proof.createdAt)],
    ['Where', <Where proof={proof} />],
    ['Hardware', receipt ? hardwareWords(receipt, 'signed') : 'Known when the receipt is public.'],
    ['Randomness', receipt ? <Randomness entropy={receipt.entropy} /> : 'Known when the receipt is public.'],
  ]
  if (proof.kmsQuoteVerified !== undefined) {
    const checked = proof.kmsQuoteVerified
      ? 'Yes: it verified the hardware’s quote before it released the signature.'
      : 'No: the service does not claim to have verified the hardware’s quote.'
    facts.push(['Checked by the service', checked])
  }
  return (
    <section className="card" aria-labelledby="facts-title">
      <h2 id="facts-title">What the receipt says</h2>
      <Facts facts={facts} />
    </section>
  )
}

export function Who({ wallet }: { wallet: string }) {
  return (
    <>
      <Hash value={wallet} what="the wallet" /> <a href={`/w/${wallet}`}>its other receipts</a>
    </>
  )
}

function What({ receipt }: { receipt: AttestationReceiptV1 }) {
  const { value, to, data, nonce } = receipt.transaction
  return (
    <>
      Sent <strong>{formatEther(BigInt(value))} ETH</strong> to <Hash value={to} what="the recipient" />
      {data !== '0x' && ` with ${(data.length - 2) / 2} bytes of data`}
      <br />
      Nonce {nonce} of this wallet
    </>
  )
}

function Where({ proof }: { proof: ShownProof }) {
  const url = transactionUrl(proof.chainId, proof.txHash)
  return (
    <>
      On {chainName(proof.chainId)}, transaction <Hash value={proof.txHash} what="the transaction hash" />{' '}
      {url && <a href={url}>look it up</a>}
    </>
  )
}
