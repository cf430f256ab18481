import type { MessageReceiptV1 } from '@perigee/core/receipt'
import { formatTime } from '../../format/formatTime.js'
import { Hash } from '../../components/Hash.js'
import { authorisedWords } from './authorisedWords.js'
import { evidenceFacts, notPublic, Who, type Fact } from './sharedFacts.js'
import type { ShownProof } from '../ShownProof.js'

const schemes = { eip191: 'A message (EIP-191)', eip712: 'Typed data (EIP-712)' }

/** Who signed a message when, on which hardware, and what that proves. Only its opening shows what was signed. */
export function messageFacts(
  { walletAddress, createdAt, txHash, standing }: ShownProof,
  receipt: MessageReceiptV1 | null,
): Fact[] {
  const what = receipt ? schemes[receipt.message.scheme] : 'A message'
  return [
    ['Who', <Who wallet={walletAddress} />],
    ['What', `${what}, signed with this wallet’s key.`],
    [
      'Content',
      'Hidden, and so is the signature: together they could be used in the signer’s name. The signer can show both with the opening.',
    ],
    ['Commitment', <Hash value={txHash} what="the commitment" />],
    ['Authorised by', receipt ? authorisedWords(receipt.authorisation, standing === 'verified', 'message') : notPublic],
    ['When', formatTime(receipt?.signer.signedAt ?? createdAt)],
    ...evidenceFacts(receipt, 'signed'),
    [
      'What it proves',
      'That the enclave signed one message with this key, who asked for it and when. The commitment fixes that message: nobody can show another one for this receipt.',
    ],
    [
      'What it does not',
      'What the message says, for whom it was meant, and whether anyone has used it. The first two show when it is opened.',
    ],
  ]
}
