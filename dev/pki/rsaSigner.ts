import { constants, createPrivateKey, createPublicKey, generateKeyPair, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { fromHex, toHex, type Hex } from '@perigee/core'
import { type CertificateSigner } from '@perigee/core/simulation'

/** DER of `rsassaPss` with SHA-384, MGF1 of SHA-384 and 48 bytes of salt, as AMD's certificates have it (RFC 4055). */
const rsaPssSha384 = fromHex(
  '0x304106092a864886f70d01010a3034a00f300d06096086480165030402020500a11c301a06092a864886f70d010108300d06096086480165030402020500a203020130',
)

/** A new RSA-4096 key as PKCS #8. Takes seconds, which is why the keys are kept. */
export async function createRsaKey(): Promise<Hex> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 4096 })
  return toHex(privateKey.export({ type: 'pkcs8', format: 'der' }))
}

export function rsaPublicKey(pkcs8: Hex): Uint8Array {
  return new Uint8Array(createPublicKey(rsaKey(pkcs8)).export({ type: 'spki', format: 'der' }))
}

export function rsaSigner(pkcs8: Hex): CertificateSigner {
  const key = rsaKey(pkcs8)
  return {
    algorithm: rsaPssSha384,
    sign: (tbs) =>
      new Uint8Array(sign('sha384', tbs, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 48 })),
  }
}

function rsaKey(pkcs8: Hex) {
  return createPrivateKey({ key: Buffer.from(pkcs8.slice(2), 'hex'), type: 'pkcs8', format: 'der' })
}
