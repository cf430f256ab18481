import type { AttestationReceiptV1 } from '@perigee/sdk'

/** What was really checked about a sample, in words. Nothing here says more than the level does. */
export const provenanceWords: Record<AttestationReceiptV1['entropy']['provenance'], string> = {
  simulated: 'A stand-in made it, not a satellite.',
  'operator-asserted': 'Its origin is the operator’s word; no signature of the source was checked.',
  'beacon-verified': 'It was found in the source’s public beacon, whose record was verified.',
  'satellite-signature-verified': 'The satellite source’s own signature over it was verified.',
}
