import { hexToBytes } from 'viem'
import { base64url, hexOf, intentChallenge, ownersHash } from '../passkeys/encode.js'
import type { Hex, Intent, OwnersChange, OwnersRecord, PasskeyApproval } from '../types.js'
import { Problem } from './Problem.js'

type Matter = Omit<Intent, 'validUntil' | 'salt'>

/** Throws unless one of these passkeys agreed to exactly this. The same rules as the enclave's, as far as tests need them. */
export async function checkPasskey(
  approval: PasskeyApproval,
  { credentials }: Pick<OwnersRecord, 'credentials'>,
  matter: Matter,
): Promise<void> {
  const owner = credentials.find(({ publicKey }) => publicKey === approval.credential)
  if (!owner) throw invalid('this passkey is not one of the owners')
  checkTime(approval)
  const { validUntil, salt } = approval
  const challenge = base64url(intentChallenge({ ...matter, validUntil, salt }))
  const client = JSON.parse(approval.clientDataJSON) as Record<string, unknown>
  if (client['type'] !== 'webauthn.get' || client['challenge'] !== challenge) throw invalid('another challenge')
  if (!owner.origins.includes(String(client['origin']))) throw invalid('another page')
  const { createHash, verify } = await import('node:crypto')
  const sha256 = (text: string) => createHash('sha256').update(text).digest()
  const data = hexToBytes(approval.authenticatorData)
  const isForRp = hexOf(data.slice(0, 32)) === hexOf(sha256(owner.rpId))
  if (data.length !== 37 || !isForRp || ((data[32] ?? 0) & 5) !== 5) throw invalid('the user was not verified here')
  const signed = Buffer.concat([data, sha256(approval.clientDataJSON)])
  const key = await publicKey(owner.publicKey)
  if (!verify('sha256', signed, key, hexToBytes(approval.signature))) throw invalid('not signed by this passkey')
}

/** Throws unless the owners may become these: an old passkey or the code agrees, and every new passkey too. */
export async function checkChange(
  { owners: next, approval }: OwnersChange,
  address: Hex,
  current: OwnersRecord | null,
): Promise<void> {
  const [before, after] = [ownersHash(current), ownersHash(next)]
  if (next.previous !== (current && before))
    throw new Problem(409, 'owners_changed', 'The owners were changed meanwhile.')
  if (next.sequence !== (current ? current.sequence + 1 : 0) || next.credentials.length === 0) {
    throw new Problem(422, 'owners_invalid', 'The record does not follow the current one.')
  }
  const matter: Matter = { kind: 'owners', address, ownersHash: before, chainId: 0, digest: after }
  const old = current?.credentials ?? []
  for (const one of approval.passkeys) await checkPasskey(one, { credentials: [...old, ...next.credentials] }, matter)
  const signed = (key: Hex) => approval.passkeys.some(({ credential }) => credential === key)
  const isOld = (key: Hex) => old.some(({ publicKey }) => publicKey === key)
  const allNew = next.credentials.every(({ publicKey }) => isOld(publicKey) || signed(publicKey))
  const agreed =
    current === null || old.some(({ publicKey }) => signed(publicKey)) || (await byCode(approval, current, matter))
  if (!allNew || !agreed) throw new Problem(403, 'authorisation_required', 'Not every passkey that must agree did.')
  const used = approval.recovery && next.recovery?.publicKey === current?.recovery?.publicKey
  if (used) throw invalid('a recovery code serves once')
}

async function byCode({ recovery }: OwnersChange['approval'], current: OwnersRecord, matter: Matter): Promise<boolean> {
  if (!recovery || !current.recovery) return false
  checkTime(recovery)
  const { validUntil, salt, signature } = recovery
  const challenge = intentChallenge({ ...matter, validUntil, salt })
  const { verify } = await import('node:crypto')
  const key = { key: await publicKey(current.recovery.publicKey), dsaEncoding: 'ieee-p1363' as const }
  if (verify('sha256', challenge, key, hexToBytes(signature))) return true
  throw invalid('the recovery code is not this wallet’s')
}

function checkTime({ validUntil }: { validUntil: number }): void {
  const now = Date.now() / 1000
  if (validUntil < now) throw new Problem(409, 'authorisation_expired', 'The approval has expired.')
  if (validUntil > now + 600) throw invalid('the approval is valid for too long')
}

/** OpenSSL takes compressed points in SPKI. */
async function publicKey(compressed: Hex) {
  const { createPublicKey } = await import('node:crypto')
  const prefix = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex')
  return createPublicKey({ key: Buffer.concat([prefix, hexToBytes(compressed)]), format: 'der', type: 'spki' })
}

function invalid(detail: string): Problem {
  return new Problem(422, 'authorisation_invalid', detail)
}
