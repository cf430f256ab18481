import type { BirthProof, BirthReceiptV1 } from '@perigee/sdk'
import type { ReactNode } from 'react'
import { Facts } from '../components/Facts.js'
import { formatTime } from '../components/formatTime.js'
import { Hash } from '../components/Hash.js'
import { hardwareWords } from './hardwareWords.js'
import { Who } from './ProofFacts.js'
import { Randomness } from './Randomness.js'

/** A birth from the service, or from its receipt alone: then it is unknown what the service has checked. */
export type ShownBirth = Pick<BirthProof, 'walletAddress' | 'receipt' | 'createdAt'> & { kmsQuoteVerified?: boolean }

const unknown = 'Known when the receipt is public.'

/** Whose key was made when, on which hardware, with which randomness: as the receipt says. Nothing is verified here. */
export function BirthFacts({ birth: { walletAddress, receipt, createdAt, kmsQuoteVerified } }: { birth: ShownBirth }) {
  const facts: (readonly [string, ReactNode])[] = [
    ['Who', <Who wallet={walletAddress} />],
    ['What', 'The birth of this wallet: its key was made.'],
    ['Owners', receipt ? ownersWords(receipt) : unknown],
    ['When', formatTime(receipt?.key.createdAt ?? createdAt)],
    ['Key', receipt ? <Hash value={receipt.key.publicKey} what="the public key" /> : unknown],
    ['Sealed key', receipt ? <Hash value={receipt.key.sealedKeyHash} what="the hash of the sealed key" /> : unknown],
    ['Hardware', receipt ? hardwareWords(receipt, 'made the key') : unknown],
    ['Randomness', receipt ? <Randomness entropy={receipt.entropy} /> : unknown],
  ]
  if (kmsQuoteVerified !== undefined) {
    const checked = kmsQuoteVerified
      ? 'Yes: it verified the hardware’s quote before it released the wallet.'
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

function ownersWords({ authorisation: { owners } }: BirthReceiptV1): string {
  if (!owners) return 'None: the key was made without a passkey.'
  const count = owners.credentials.length
  return `${count === 1 ? 'One passkey' : `${count} passkeys`}, from the beginning: the operator alone cannot have it used.`
}
