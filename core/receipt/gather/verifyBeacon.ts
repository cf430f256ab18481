import type { VerifyBeacon } from '../../entropy/index.js'

/** Only receipts with entropy from a beacon need IPNS code, which is slow to load: it is loaded when one needs it. */
export const verifyBeacon: VerifyBeacon = async (evidence, now) => {
  const beacon = await import('../../entropyBeacon/index.js')
  return beacon.verifyBeacon(evidence, now)
}
