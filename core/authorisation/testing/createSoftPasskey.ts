import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { concatBytes, fromHex, toHex, type Hex, type UnixSeconds } from '../../bytes/index.js'
import type { PasskeyApproval, RecoveryApproval } from '../Authorisation.js'
import { intentChallenge, type Intent } from '../intent.js'
import type { OwnerCredential } from '../Owners.js'
import { base64url } from '../verifyAssertion.js'

/** What an owner agrees to; validity and salt come with the approval. */
export type IntentSubject = Omit<Intent, 'validUntil' | 'salt'>

/** What a hostile page or authenticator would answer differently. */
export interface AssertionChanges {
  salt?: Hex
  /** User present and verified, backup eligible and backed up (0x1d) when left out. */
  flags?: number
  rpId?: string
  /** Members of clientDataJSON that replace or join the usual ones. */
  clientData?: Record<string, unknown>
  /** Bytes after the 37 that an assertion has. */
  trailing?: Uint8Array
}

const soon = (): UnixSeconds => Math.floor(Date.now() / 1000) + 300
const randomSalt = () => toHex(randomBytes(16))
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()

/** A P-256 key pair of node:crypto, its public half compressed as owners records have it. */
export function createP256Key(): { publicKey: Hex; privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-64)
  return { publicKey: toHex(Uint8Array.of(2 + ((point[63] as number) & 1), ...point.subarray(0, 32))), privateKey }
}

export type SoftPasskey = ReturnType<typeof createSoftPasskey>

/** An authenticator and its browser in software: assertions as Chromium makes them, with a key of its own. */
export function createSoftPasskey({ rpId = 'localhost', origin = 'http://localhost:3000' } = {}) {
  const { publicKey, privateKey } = createP256Key()
  const credential: OwnerCredential = { algorithm: 'ES256', publicKey, rpId, origins: [origin] }
  let signCount = 0

  /** `navigator.credentials.get` over any challenge (32 bytes). */
  function get(challenge: Hex, changes: AssertionChanges = {}) {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(++signCount)
    const authenticatorData = concatBytes(
      sha256(changes.rpId ?? rpId),
      Uint8Array.of(changes.flags ?? 0x1d),
      counter,
      changes.trailing ?? new Uint8Array(),
    )
    const clientDataJSON = JSON.stringify({
      type: 'webauthn.get',
      challenge: base64url(fromHex(challenge, 32)),
      origin,
      crossOrigin: false,
      // Chromium adds this to about one assertion in five, so that nobody compares with a template.
      ...(signCount % 5 === 0 && {
        other_keys_can_be_added_here: 'do not compare clientDataJSON against a template. See https://goo.gl/yabPex',
      }),
      ...changes.clientData,
    })
    const signature = sign('sha256', concatBytes(authenticatorData, sha256(clientDataJSON)), privateKey)
    return { authenticatorData: toHex(authenticatorData), clientDataJSON, signature: toHex(signature) }
  }

  return {
    publicKey,
    credential,
    get,
    approve(subject: IntentSubject, validUntil = soon(), changes: AssertionChanges = {}): PasskeyApproval {
      const salt = changes.salt ?? randomSalt()
      const assertion = get(intentChallenge({ ...subject, validUntil, salt }), changes)
      return { credential: publicKey, ...assertion, validUntil, salt }
    },
  }
}

export type SoftRecovery = ReturnType<typeof createSoftRecovery>

/** The key that a recovery code gives, without the code. */
export function createSoftRecovery() {
  const { publicKey, privateKey } = createP256Key()
  return {
    publicKey,
    approve(subject: IntentSubject, validUntil = soon()): RecoveryApproval {
      const salt = randomSalt()
      const challenge = fromHex(intentChallenge({ ...subject, validUntil, salt }), 32)
      const signature = sign('sha256', challenge, { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return { signature: toHex(signature), validUntil, salt }
    },
  }
}
