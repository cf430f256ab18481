import { fromHex, type Hex, type UnixSeconds } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import type { OwnersApproval, PasskeyApproval } from './Authorisation.js'
import { intentChallenge, type Intent } from './intent.js'
import { checkSuccession, ownersHash, type OwnerCredential, type OwnersRecord } from './Owners.js'
import { isP256Signed } from './p256.js'
import { zeroAddress } from './Statement.js'
import { verifyAssertion } from './verifyAssertion.js'

/** An approval is made on the spot: one that is valid for longer is refused. */
const maxApprovalSeconds = 600

/** Throws unless `now` lies in the time for which the owner agreed. */
export function checkApprovalTime({ validUntil }: { validUntil: UnixSeconds }, now: UnixSeconds): void {
  if (now > validUntil) throw new ServiceError('authorisation_expired', 'the approval has expired', { validUntil, now })
  if (validUntil > now + maxApprovalSeconds) invalid('the approval is valid for too long')
}

type Subject = Omit<Intent, 'validUntil' | 'salt'>

/** Throws `authorisation_invalid` unless one of these owners agreed to exactly this. The time is checked apart. */
export async function verifyPasskeyApproval(
  approval: PasskeyApproval,
  credentials: readonly OwnerCredential[],
  subject: Subject,
): Promise<void> {
  const credential = credentials.find(({ publicKey }) => publicKey === approval.credential)
  if (!credential) invalid('this passkey is not one of the owners')
  const { validUntil, salt } = approval
  await verifyAssertion(approval, credential, intentChallenge({ ...subject, validUntil, salt }))
}

/** The intent to sign a transaction. */
export function transactionIntent(address: Hex, owners: OwnersRecord, chainId: number, digest: Hex): Subject {
  return signingIntent(address, owners, { kind: 'transaction', chainId, digest })
}

/** What a key is asked to sign, in the words of intents. */
export interface Signable {
  kind: 'transaction' | 'message' | 'typed-data'
  /** 0 for messages: which chain they concern is part of their content. */
  chainId: number
  /** Of a message, its `requestHash`. */
  digest: Hex
}

/** The intent to sign anything that a key signs. */
export function signingIntent(address: Hex, owners: OwnersRecord, { kind, chainId, digest }: Signable): Subject {
  return { kind, address, ownersHash: ownersHash(owners), chainId, digest }
}

/** The intent of everyone who agrees to a change of owners. */
export function ownersIntent(address: Hex, current: OwnersRecord | null, next: OwnersRecord): Subject {
  return { kind: 'owners', address, ownersHash: ownersHash(current), chainId: 0, digest: ownersHash(next) }
}

/**
 * Throws unless the change from `current` (null: no owners) to `next` was agreed to: by one of the current owners or
 * their recovery code, and by every passkey that is new in it. So nobody can add a passkey beside the user's, and
 * nobody can be made an owner with a key that they do not have.
 */
export async function verifyOwnersApproval(
  { passkeys, recovery }: OwnersApproval,
  { address = zeroAddress, current, next }: { address?: Hex; current: OwnersRecord | null; next: OwnersRecord },
  now: UnixSeconds,
): Promise<void> {
  checkSuccession(current, next)
  const before = current?.credentials ?? []
  const subject = ownersIntent(address, current, next)
  const signers = new Set<Hex>()
  for (const approval of passkeys) {
    checkApprovalTime(approval, now)
    await verifyPasskeyApproval(approval, [...before, ...next.credentials], subject)
    signers.add(approval.credential)
  }
  const isOld = ({ publicKey }: OwnerCredential) => before.some((one) => one.publicKey === publicKey)
  if (!next.credentials.every((one) => isOld(one) || signers.has(one.publicKey))) {
    throw new ServiceError('authorisation_required', 'every new passkey must sign the record that names it')
  }
  if (current === null || before.some(({ publicKey }) => signers.has(publicKey))) {
    // A receipt shows it, and nobody has checked it.
    if (recovery !== null) invalid('a recovery code is used only where no current passkey signs')
    return
  }
  if (recovery === null || current.recovery === null) {
    throw new ServiceError('authorisation_required', 'one of the current owners must agree')
  }
  checkApprovalTime(recovery, now)
  const { validUntil, salt } = recovery
  const challenge = fromHex(intentChallenge({ ...subject, validUntil, salt }), 32)
  if (!(await isP256Signed(current.recovery.publicKey, challenge, fromHex(recovery.signature, 64)))) {
    invalid('the recovery code is not this wallet’s')
  }
  if (next.recovery?.publicKey === current.recovery.publicKey) invalid('a recovery code serves once')
}

function invalid(message: string): never {
  throw new ServiceError('authorisation_invalid', message)
}
