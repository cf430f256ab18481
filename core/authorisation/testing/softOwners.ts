import type { Hex, UnixSeconds } from '../../bytes/index.js'
import type { OwnersApproval } from '../Authorisation.js'
import { ownersHash, type OwnersRecord } from '../Owners.js'
import { zeroAddress } from '../Statement.js'
import { ownersIntent } from '../verifyApproval.js'
import type { SoftPasskey, SoftRecovery } from './createSoftPasskey.js'

/** A record of these passkeys: a wallet's first, or the one that follows `current`. */
export function ownersOf(
  passkeys: readonly SoftPasskey[],
  { current = null, recovery = null }: { current?: OwnersRecord | null; recovery?: SoftRecovery | null } = {},
): OwnersRecord {
  return {
    version: 1,
    sequence: current === null ? 0 : current.sequence + 1,
    previous: current === null ? null : ownersHash(current),
    threshold: 1,
    recovery: recovery && { kind: 'code', publicKey: recovery.publicKey },
    credentials: passkeys.map(({ credential }) => credential).sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1)),
  }
}

/** The agreement of these passkeys, and of the recovery code if given, to `next`. */
export function approveOwners(
  next: OwnersRecord,
  by: { passkeys: readonly SoftPasskey[]; recovery?: SoftRecovery | null },
  {
    address = zeroAddress,
    current = null,
    validUntil,
  }: { address?: Hex; current?: OwnersRecord | null; validUntil?: UnixSeconds } = {},
): OwnersApproval {
  const subject = ownersIntent(address, current, next)
  return {
    passkeys: by.passkeys.map((passkey) => passkey.approve(subject, validUntil)),
    recovery: by.recovery?.approve(subject, validUntil) ?? null,
  }
}
