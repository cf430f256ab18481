import type { AnyReceipt } from '@perigee/core/receipt'
import type { ReactNode } from 'react'
import { Hash } from '../../components/Hash.js'
import { formatTime } from '../../format/formatTime.js'

export type Fact = readonly [string, ReactNode]
export const notPublic = 'Known when the receipt is public.'

export function Who({ wallet }: { wallet: string }) {
  return (
    <>
      <Hash value={wallet} what="the wallet" /> <a href={`/w/${encodeURIComponent(wallet)}`}>its other receipts</a>
    </>
  )
}

/** Which hardware vouches for a signature or a key, and which entropy sample was used. */
export function evidenceFacts(receipt: AnyReceipt | null, did: 'signed' | 'made the key'): Fact[] {
  return [
    ['Hardware', receipt ? hardwareWords(receipt, did) : notPublic],
    ['Randomness', receipt ? <Randomness entropy={receipt.entropy} /> : notPublic],
  ]
}

function hardwareWords({ signer: { platform, tcbStatus }, simulated }: AnyReceipt, did: string): string {
  if (simulated) return `Simulated. No hardware vouches for this ${did === 'signed' ? 'signature' : 'key'}.`
  return `Intel TDX enclave (${platform}), firmware status ${tcbStatus} when it ${did}; coordinated from an AMD SEV-SNP machine.`
}

type Entropy = AnyReceipt['entropy']

/** What was checked about a sample, in words. Never more than its level says. */
const provenanceWords: Record<Entropy['provenance'], string> = {
  simulated: 'A stand-in made it, not a satellite.',
  'operator-asserted': 'The operator says where it comes from; no signature of the source was checked.',
  'beacon-verified': 'It was found in the source’s public beacon, whose record was verified.',
  'satellite-signature-verified': 'The satellite source’s own signature over it was verified.',
}

function Randomness({ entropy: { source, value, provenance, receivedAt } }: { entropy: Entropy }) {
  return (
    <>
      Sample <Hash value={value} what="the sample" /> from {source}, received {formatTime(receivedAt)}.{' '}
      {provenanceWords[provenance]}
    </>
  )
}
