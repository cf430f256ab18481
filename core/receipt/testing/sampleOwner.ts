import { p256 } from '@noble/curves/p256'
import { sha256 } from '@noble/hashes/sha2'
import {
  base64url,
  encodeStatement,
  hashOf,
  intentChallenge,
  transactionIntent,
  zero32,
  type Intent,
  type OwnersApproval,
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

export function signStatement({ signature: _, ...statement }: Statement & { signature?: Hex }): SignedStatement {
  const signature = p256.sign(sha256(encodeStatement(statement)), requestKey.privateKey)
  return { ...statement, signature: toHex(signature.toCompactRawBytes()) }
}

/** A statement about this, with this approval, as the coordinator makes it a second before the signature. */
export const stateAt = (
  signedAt: UnixSeconds,
  about: Omit<Statement, 'issuedAt' | 'expiresAt' | 'authorisationHash'>,
  approval: PasskeyApproval | OwnersApproval | null,
): SignedStatement =>
  signStatement({
    ...about,
    issuedAt: signedAt - 1,
    expiresAt: signedAt + 14,
    authorisationHash: approval === null ? zero32 : hashOf(approval),
  })

/** The owner of a wallet, with one passkey. */
export interface SampleOwner {
  owners: OwnersRecord
  approve(address: Hex, chainId: number, digest: Hex, validUntil: UnixSeconds): PasskeyApproval
  approveIntent(intent: Omit<Intent, 'validUntil' | 'salt'>, validUntil: UnixSeconds): PasskeyApproval
  /** Signs altered data: what a hostile page or authenticator could produce. */
  resign(approval: PasskeyApproval): PasskeyApproval
}

/** An owner whose passkey signs as an authenticator does, on https://app.example. */
export function createSampleOwner(
  byte = '07',
  place: Pick<OwnersRecord, 'sequence' | 'previous'> = { sequence: 0, previous: null },
): SampleOwner {
  const { privateKey, publicKey } = keyOf(byte)
  const [rpId, origin] = ['app.example', 'https://app.example']
  const owners: OwnersRecord = {
    version: 1,
    ...place,
    threshold: 1,
    recovery: null,
    credentials: [{ algorithm: 'ES256', publicKey, rpId, origins: [origin] }],
  }

  function resign(approval: PasskeyApproval): PasskeyApproval {
    const clientDataHash = sha256(new TextEncoder().encode(approval.clientDataJSON))
    const signed = concatBytes(fromHex(approval.authenticatorData), clientDataHash)
    return { ...approval, signature: toHex(p256.sign(sha256(signed), privateKey).toDERRawBytes()) }
  }

  function approveIntent(intent: Omit<Intent, 'validUntil' | 'salt'>, validUntil: UnixSeconds): PasskeyApproval {
    const salt: Hex = `0x${'cc'.repeat(16)}`
    const challenge = base64url(fromHex(intentChallenge({ ...intent, validUntil, salt })))
    const clientDataJSON = JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false })
    const rpIdHash = sha256(new TextEncoder().encode(rpId))
    const authenticatorData = toHex(concatBytes(rpIdHash, Uint8Array.of(0x1d, 0, 0, 0, 0)))
    return resign({ credential: publicKey, authenticatorData, clientDataJSON, signature: '0x', validUntil, salt })
  }

  return {
    owners,
    resign,
    approveIntent,
    approve: (address, chainId, digest, validUntil) =>
      approveIntent(transactionIntent(address, owners, chainId, digest), validUntil),
  }
}
