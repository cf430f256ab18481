import type { AttestationReceiptV1 } from '@perigee/sdk'

/** What was checked about a sample, in words. Never more than its level says. */
export const provenanceWords: Record<AttestationReceiptV1['entropy']['provenance'], string> = {
  simulated: 'A stand-in made it, not a satellite.',
  'operator-asserted': 'The operator says where it comes from; no signature of the source was checked.',
  'beacon-verified': 'It was found in the source’s public beacon, whose record was verified.',
  'satellite-signature-verified': 'The satellite source’s own signature over it was verified.',
}
