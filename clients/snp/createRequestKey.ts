import { generateKeyPairSync, sign } from 'node:crypto'
import { toHex, type Hex } from '@perigee/core'

/** The key that signs statements. The coordinator's report binds its public half; the private half never leaves memory. */
export function createRequestKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const isOdd = (Buffer.from(y, 'base64url').at(-1) ?? 0) & 1
  return {
    /** Compressed P-256, 33 bytes. */
    publicKey: toHex(Buffer.concat([Uint8Array.of(2 + isOdd), Buffer.from(x, 'base64url')])),
    /** SHA-256, r || s. */
    sign: (bytes: Uint8Array): Hex => toHex(sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' })),
  }
}

export type RequestKey = ReturnType<typeof createRequestKey>
