import type { VerifyBeacon } from '../../entropy/index.js'

/** Loads the IPNS code, which is slow to load, only for receipts whose entropy came from a beacon. */
export const verifyBeacon: VerifyBeacon = async (evidence, now) => {
  const beacon = await import('../../entropyBeacon/index.js')
  return beacon.verifyBeacon(evidence, now)
}
