import { p256 } from '@noble/curves/p256'
import { sha256 } from '@noble/hashes/sha2'
import {
  base64url,
  encodeStatement,
  intentChallenge,
  ownersHash,
  type OwnersRecord,
  type PasskeyApproval,
  type SignedStatement,
  type Statement,
} from '../../authorisation/index.js'
import { concatBytes, fromHex, toHex, type Hex, type UnixSeconds } from '../../bytes/index.js'

const keyOf = (byte: string) => {
  const privateKey = fromHex(`0x${byte.repeat(32)}`)
  return { privateKey, publicKey: toHex(p256.getPublicKey(privateKey, true)) }
}

/** The coordinator's request key in minted receipts. */
export const requestKey = keyOf('21')
const passkey = keyOf('07')

export function signStatement({ signature: _, ...statement }: Statement & { signature?: Hex }): SignedStatement {
  const signature = p256.sign(sha256(encodeStatement(statement)), requestKey.privateKey)
  return { ...statement, signature: toHex(signature.toCompactRawBytes()) }
}

/** The owner of a wallet, with one passkey. */
export interface SampleOwner {
  owners: OwnersRecord
  approve(address: Hex, chainId: number, digest: Hex, validUntil: UnixSeconds): PasskeyApproval
}

/** An owner whose passkey signs as an authenticator does, on https://app.example. */
export function createSampleOwner(): SampleOwner {
  const [rpId, origin] = ['app.example', 'https://app.example']
  const owners: OwnersRecord = {
    version: 1,
    sequence: 0,
    previous: null,
    threshold: 1,
    recovery: null,
    credentials: [{ algorithm: 'ES256', publicKey: passkey.publicKey, rpId, origins: [origin] }],
  }
  return {
    owners,
    approve(address, chainId, digest, validUntil) {
      const salt: Hex = `0x${'cc'.repeat(16)}`
      const intent = { kind: 'transaction', address, ownersHash: ownersHash(owners), chainId, digest } as const
      const challenge = base64url(fromHex(intentChallenge({ ...intent, validUntil, salt })))
      const clientDataJSON = JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false })
      const authenticatorData = concatBytes(sha256(new TextEncoder().encode(rpId)), Uint8Array.of(0x1d, 0, 0, 0, 0))
      const signed = concatBytes(authenticatorData, sha256(new TextEncoder().encode(clientDataJSON)))
      const signature = toHex(p256.sign(sha256(signed), passkey.privateKey).toDERRawBytes())
      const credential = passkey.publicKey
      return { credential, authenticatorData: toHex(authenticatorData), clientDataJSON, signature, validUntil, salt }
    },
  }
}
