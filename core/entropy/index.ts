export { entropyWitnessHash, provenanceLevels, type EntropyProvenance, type EntropySample } from './EntropySample.js'
export {
  clockSkewSeconds,
  defaultFreshnessSeconds,
  entropyKeySchema,
  type BeaconFinding,
  type EntropyKey,
  type EntropyTrust,
  type VerifyBeacon,
} from './EntropyTrust.js'
export { parseEntropySample } from './parseEntropySample.js'
export { checkFreshness, meetsLevel, verifyEntropySample } from './verifyEntropySample.js'
export { createNativeCheck } from './createNativeCheck.js'
export { isSignedBy, rawPublicKey, satelliteSignedBytes, spkiOf } from './verifySignature.js'
