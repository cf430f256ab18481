import type { BirthReceiptV1 } from '@perigee/sdk'
import { formatTime } from '../../format/formatTime.js'
import { Hash } from '../../components/Hash.js'
import { evidenceFacts, notPublic, Who, type Fact } from './sharedFacts.js'
import type { ShownProof } from '../ShownProof.js'

/** Whose key was made when, on which hardware, with which randomness. */
export function birthFacts({ walletAddress, createdAt }: ShownProof, receipt: BirthReceiptV1 | null): Fact[] {
  return [
    ['Who', <Who wallet={walletAddress} />],
    ['What', 'The birth of this wallet: its key was made.'],
    ['Owners', receipt ? ownersWords(receipt) : notPublic],
    ['When', formatTime(receipt?.key.createdAt ?? createdAt)],
    ['Key', receipt ? <Hash value={receipt.key.publicKey} what="the public key" /> : notPublic],
    ['Sealed key', receipt ? <Hash value={receipt.key.sealedKeyHash} what="the hash of the sealed key" /> : notPublic],
    ...evidenceFacts(receipt, 'made the key'),
  ]
}

function ownersWords({ authorisation: { owners } }: BirthReceiptV1): string {
  if (!owners) return 'None: the key was made without a passkey.'
  const count = owners.credentials.length
  return `${count === 1 ? 'One passkey' : `${count} passkeys`}, from the beginning: the operator alone cannot have it used.`
}
