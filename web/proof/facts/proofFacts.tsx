import type { AttestationReceiptV1 } from '@perigee/sdk'
import { formatEther } from 'viem'
import { chainName, transactionUrl } from '../../format/chains.js'
import { formatTime } from '../../format/formatTime.js'
import { Hash } from '../../components/Hash.js'
import { authorisedWords } from './authorisedWords.js'
import { evidenceFacts, notPublic, Who, type Fact } from './sharedFacts.js'
import type { ShownProof } from '../ShownProof.js'

/** Who signed what, when, where, on which hardware, with which randomness. */
export function proofFacts(proof: ShownProof, receipt: AttestationReceiptV1 | null): Fact[] {
  const isVerified = proof.standing === 'verified'
  return [
    ['Who', <Who wallet={proof.walletAddress} />],
    ['What', receipt ? <What receipt={receipt} /> : notPublic],
    ['Authorised by', receipt ? authorisedWords(receipt.authorisation, isVerified) : notPublic],
    ['When', formatTime(receipt?.signer.signedAt ?? proof.createdAt)],
    ['Where', <Where proof={proof} />],
    ...evidenceFacts(receipt, 'signed'),
  ]
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
