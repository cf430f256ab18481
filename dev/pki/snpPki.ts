import { randomBytes } from 'node:crypto'
import { toHex, type Hex } from '@perigee/core'
import { mintCertificate, vekCertificate, type SnpReportKeys } from '@perigee/core/simulation'
import { rsaPublicKey, rsaSigner } from './rsaSigner.js'

export interface SnpPki {
  ark: Uint8Array
  ask: Uint8Array
  vek: Uint8Array
  keys: SnpReportKeys
}

export const snpNames = { ark: 'ARK-SimulatedMilan', ask: 'SEV-SimulatedMilan', asvk: 'SEV-VLEK-SimulatedMilan' }

/** ARK, ASK and VCEK of a simulated Milan chip, in AMD's shapes. The RSA keys are arguments, because making them is slow. */
export async function mintSnpPki(
  rsa: { ark: Hex; ask: Hex },
  validity: { notBefore: number; notAfter: number },
  keys: SnpReportKeys = createSnpReportKeys(),
): Promise<SnpPki> {
  const ca = (subject: string, serial: number, key: Hex, pathLength: number) =>
    mintCertificate(
      { serial, subject, issuer: snpNames.ark, publicKey: rsaPublicKey(key), role: 'ca', pathLength, ...validity },
      rsaSigner(rsa.ark),
    )
  return {
    ark: await ca(snpNames.ark, 0x10000, rsa.ark, 1),
    ask: await ca(snpNames.ask, 0x10001, rsa.ask, 0),
    vek: await mintCertificate(vekCertificate(keys, snpNames.ask, validity), rsaSigner(rsa.ask)),
    keys,
  }
}

export function createSnpReportKeys(): SnpReportKeys {
  const scalar = randomBytes(48)
  scalar[0] = 1 // below the order of P-384, and not zero
  const tcb = { bootloader: 4, tee: 0, snp: 24, microcode: 219 }
  return { vekPrivateKey: toHex(scalar), chipId: toHex(randomBytes(64)), tcb }
}
