import { ed25519 } from '@noble/curves/ed25519'
import { toHex } from '../bytes/index.js'
import { releaseBytes, releaseFile, verifyRelease, type MeasurementRelease, type SignedRelease } from './Release.js'

/** Signs the list of published builds: the content of `measurements.json`. Throws `release_invalid` for another form. */
export function signRelease(release: MeasurementRelease, privateKey: Uint8Array): SignedRelease {
  const value = toHex(ed25519.sign(releaseBytes(release), privateKey))
  const signed: SignedRelease = { release, signature: { algorithm: 'ed25519', value } }
  verifyRelease(releaseFile(signed), toHex(ed25519.getPublicKey(privateKey))) // never make a list that readers would refuse
  return signed
}
