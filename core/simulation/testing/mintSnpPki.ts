import { randomBytes } from 'node:crypto'
import { fromHex, toHex, type Hex, type UnixSeconds } from '../../index.js'
import type { SnpReportKeys } from '../index.js'
import { ia5String, integer } from './der.js'
import { mintCertificate, mintCrl, type CertificateToMint } from './mintCertificate.js'
import { ecPublicKey, rsaPublicKey, rsaSigner, type SnpRsaKeys } from './signers.js'

export const snpNames = { ark: 'ARK-SimulatedMilan', ask: 'SEV-SimulatedMilan', asvk: 'SEV-VLEK-SimulatedMilan' }

/** ARK, ASK and VCEK of a simulated Milan chip, in AMD's shapes. The RSA keys are arguments, because making them is slow. */
export async function mintSnpPki(
  rsa: SnpRsaKeys,
  validity: { notBefore: number; notAfter: number },
  keys: SnpReportKeys = createSnpReportKeys(),
) {
  const ca = (subject: string, serial: number, key: Hex, pathLength: number) =>
    mintCertificate(
      { serial, subject, issuer: snpNames.ark, publicKey: rsaPublicKey(key), role: 'ca', pathLength, ...validity },
      rsaSigner(rsa.ark),
    )
  const arkPublicKey = rsaPublicKey(rsa.ark)
  const crl = {
    issuer: snpNames.ark,
    issuerPublicKey: arkPublicKey,
    thisUpdate: validity.notBefore,
    nextUpdate: validity.notAfter,
  }
  return {
    ark: await ca(snpNames.ark, 0x10000, rsa.ark, 1),
    ask: await ca(snpNames.ask, 0x10001, rsa.ask, 0),
    vek: await mintCertificate(vekCertificate(keys, snpNames.ask, validity), rsaSigner(rsa.ask)),
    /** Revokes nothing, and lasts as long as the certificates: the ARK's key is not kept. */
    crl: await mintCrl(crl, rsaSigner(rsa.ark)),
    keys,
  }
}

function createSnpReportKeys(): SnpReportKeys {
  const scalar = randomBytes(48)
  scalar[0] = 1 // below the order of P-384, and not zero
  const tcb = { bootloader: 4, tee: 0, snp: 24, microcode: 219 }
  return { vekPrivateKey: toHex(scalar), chipId: toHex(randomBytes(64)), tcb }
}

const amd = '1.3.6.1.4.1.3704.1'

/** The certificate of a simulated chip's key, to be signed by its ASK (or ASVK for a VLEK). */
export function vekCertificate(
  keys: SnpReportKeys,
  issuer: string,
  validity: { notBefore: UnixSeconds; notAfter: UnixSeconds },
  kind: 'VCEK' | 'VLEK' = 'VCEK',
): CertificateToMint {
  const product = keys.product ?? 'Milan'
  const { bootloader, tee, snp, microcode, fmc } = keys.tcb
  const levels = { 1: bootloader, 2: tee, 3: snp, 8: microcode, ...(fmc === undefined ? {} : { 9: fmc }) }
  const own =
    kind === 'VCEK'
      ? { oid: `${amd}.4`, value: fromHex(keys.chipId) }
      : { oid: `${amd}.5`, value: ia5String('CN=simulated.invalid') }
  return {
    serial: 1,
    subject: `SEV-${kind}`,
    issuer,
    publicKey: ecPublicKey(keys.vekPrivateKey, 'P-384'),
    role: 'bare',
    ...validity,
    extensions: [
      { oid: `${amd}.1`, value: integer(kind === 'VCEK' ? 1 : 0) },
      { oid: `${amd}.2`, value: ia5String(kind === 'VCEK' ? `${product}-B0` : product) },
      ...Object.entries(levels).map(([part, level]) => ({ oid: `${amd}.3.${part}`, value: integer(level) })),
      own,
    ],
  }
}
