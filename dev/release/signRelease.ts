import { ed25519 } from '@noble/curves/ed25519'
import { toHex } from '@perigee/core'
import {
  releaseBytes,
  releaseFile,
  verifyRelease,
  type MeasurementRelease,
  type SignedRelease,
} from '@perigee/core/measurements'

/** Signs the list of published builds: the content of `measurements.json`. */
export function signRelease(release: MeasurementRelease, privateKey: Uint8Array): SignedRelease {
  const value = toHex(ed25519.sign(releaseBytes(release), privateKey))
  const signed: SignedRelease = { release, signature: { algorithm: 'ed25519', value } }
  verifyRelease(releaseFile(signed), toHex(ed25519.getPublicKey(privateKey))) // never write a list that readers would refuse
  return signed
}
