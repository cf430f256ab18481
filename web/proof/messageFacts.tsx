import type { MessageReceiptV1 } from '@perigee/core/receipt'
import { formatTime } from '../components/formatTime.js'
import { Hash } from '../components/Hash.js'
import { authorisedWords } from './authorisedWords.js'
import { hardwareWords } from './hardwareWords.js'
import { notPublic, Who, type Fact } from './proofFacts.js'
import { Randomness } from './Randomness.js'
import type { ShownProof } from './ShownProof.js'

const schemes = { eip191: 'A message (EIP-191)', eip712: 'Typed data (EIP-712)' }

/** Who signed a message when, on which hardware. What was signed, only its opening shows. */
export function messageFacts(
  { walletAddress, createdAt, txHash, standing }: ShownProof,
  receipt: MessageReceiptV1 | null,
): Fact[] {
  const what = receipt ? schemes[receipt.message.scheme] : 'A message'
  return [
    ['Who', <Who wallet={walletAddress} />],
    ['What', `${what}. The receipt shows neither content nor signature; the signer can show both.`],
    ['Commitment', <Hash value={txHash} what="the commitment" />],
    ['Authorised by', receipt ? authorisedWords(receipt.authorisation, standing === 'verified', 'message') : notPublic],
    ['When', formatTime(receipt?.signer.signedAt ?? createdAt)],
    ['Hardware', receipt ? hardwareWords(receipt, 'signed') : notPublic],
    ['Randomness', receipt ? <Randomness entropy={receipt.entropy} /> : notPublic],
  ]
}
