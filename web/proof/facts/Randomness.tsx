import type { AttestationReceiptV1 } from '@perigee/sdk'
import { formatTime } from '../../format/formatTime.js'
import { Hash } from '../../components/Hash.js'
import { provenanceWords } from './provenanceWords.js'

/** The entropy sample that was used. */
export function Randomness({ entropy }: { entropy: AttestationReceiptV1['entropy'] }) {
  const { source, value, provenance, receivedAt } = entropy
  return (
    <>
      Sample <Hash value={value} what="the sample" /> from {source}, received {formatTime(receivedAt)}.{' '}
      {provenanceWords[provenance]}
    </>
  )
}
