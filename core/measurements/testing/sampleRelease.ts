import { ed25519 } from '@noble/curves/ed25519'
import { toHex, type Hex } from '../../bytes/index.js'
import { releaseBytes, releaseFile, type EnclaveBuild, type MeasurementRelease } from '../Release.js'

export const register = (byte: string): Hex => `0x${byte.repeat(48)}`

export const sampleBuild: EnclaveBuild = {
  name: 'a',
  simulated: false,
  mrTd: register('11'),
  rtmr0: register('22'),
  rtmr1: register('33'),
  rtmr2: register('44'),
  composeHash: `0x${'55'.repeat(32)}`,
  appId: `0x${'56'.repeat(20)}`,
  keyProvider: { name: 'kms', id: `0x${'57'.repeat(91)}` },
}

export const sampleRelease: MeasurementRelease = {
  format: 'perigee-release/1',
  version: 3,
  issuedAt: '2026-11-15T00:00:00Z',
  enclaves: [sampleBuild],
  coordinators: [
    {
      name: 'c',
      simulated: false,
      measurement: register('66'),
      hostData: `0x${'67'.repeat(32)}`,
      minTcb: { bootloader: 4, tee: 0, snp: 23, microcode: 213 },
      vmpl: 1,
    },
  ],
}

const keyOf = (seed: number) => new Uint8Array(32).fill(seed)
export const releaseKeyOf = (seed: number): Hex => toHex(ed25519.getPublicKey(keyOf(seed)))

/** The file of this list, signed by the key of a seed, whatever its form. */
export function signedFile(release: MeasurementRelease, seed = 7): Uint8Array {
  const value = toHex(ed25519.sign(releaseBytes(release), keyOf(seed)))
  return releaseFile({ release, signature: { algorithm: 'ed25519', value } })
}
