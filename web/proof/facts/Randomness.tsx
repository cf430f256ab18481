import type { AttestationReceiptV1 } from '@perigee/sdk'
import { formatTime } from '../../format/formatTime.js'
import { Hash } from '../../components/Hash.js'

type Entropy = AttestationReceiptV1['entropy']

/** What was checked about a sample, in words. Never more than its level says. */
const provenanceWords: Record<Entropy['provenance'], string> = {
  simulated: 'A stand-in made it, not a satellite.',
  'operator-asserted': 'The operator says where it comes from; no signature of the source was checked.',
  'beacon-verified': 'It was found in the source’s public beacon, whose record was verified.',
  'satellite-signature-verified': 'The satellite source’s own signature over it was verified.',
}

/** The entropy sample that was used. */
export function Randomness({ entropy }: { entropy: Entropy }) {
  const { source, value, provenance, receivedAt } = entropy
  return (
    <>
      Sample <Hash value={value} what="the sample" /> from {source}, received {formatTime(receivedAt)}.{' '}
      {provenanceWords[provenance]}
    </>
  )
}
