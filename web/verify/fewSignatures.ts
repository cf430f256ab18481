import { ed25519 } from '@noble/curves/ed25519'
import { p256 } from '@noble/curves/p256'
import { secp256k1 } from '@noble/curves/secp256k1'

/**
 * At its first use a curve prepares a table that pays off after many signatures and takes a phone a tenth of a second.
 * A page verifies a handful: a table of an eighth of the size is faster.
 */
export function expectFewSignatures(): void {
  ed25519.ExtendedPoint.BASE._setWindowSize(4)
  for (const curve of [p256, secp256k1]) curve.ProjectivePoint.BASE._setWindowSize(4)
}
