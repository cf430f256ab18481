import type { Hex, OwnerCredential, OwnersChange, OwnersRecord, PasskeyApproval, WalletOwners } from '../types.js'
import { askPasskey, type Candidate, type Matter } from './askPasskey.js'
import type { Passkeys } from './open.js'
import { ownersHash } from './encode.js'
import { PasskeyError } from './PasskeyError.js'

/** A change of owners that somebody is to agree to. */
export interface Change {
  address: Hex
  current: OwnersRecord | null
  next: OwnersRecord
}

/** The record that follows `current`. */
export async function nextRecord(
  current: OwnersRecord | null,
  credentials: readonly OwnerCredential[],
  recoveryKey: Hex | null,
): Promise<OwnersRecord> {
  return {
    version: 1,
    sequence: current === null ? 0 : current.sequence + 1,
    previous: current === null ? null : await ownersHash(current),
    threshold: 1,
    recovery: recoveryKey === null ? null : { kind: 'code', publicKey: recoveryKey },
    credentials: [...credentials].sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1)),
  }
}

/** What is signed to agree to a change. */
export async function matterOf({ address, current, next }: Change): Promise<Matter> {
  const [before, after] = await Promise.all([ownersHash(current), ownersHash(next)])
  return { kind: 'owners', address, ownersHash: before, chainId: 0, digest: after }
}

/** Prompts for one of these passkeys, which then agrees to the change. */
export async function agree(
  { site }: Passkeys,
  change: Change,
  candidates: readonly Candidate[],
  signal?: AbortSignal,
): Promise<PasskeyApproval> {
  return askPasskey(site, await matterOf(change), candidates, signal)
}

/** Stores the change. Without an answer it may be stored all the same; then the service is asked what it has. */
export async function save({ api, onChange }: Passkeys, change: OwnersChange): Promise<WalletOwners> {
  const owners = await api.changeOwners(change).catch(async (error: { code?: string; retryable?: boolean }) => {
    const lost = error.retryable || error.code === 'owners_changed'
    const now = lost ? await api.getOwners().catch(() => null) : null
    if (now?.ownersHash === (await ownersHash(change.owners))) return now
    throw error
  })
  await onChange(owners)
  return owners
}

/** A wallet's owners as the service tells them, with a record. */
export type Owned = WalletOwners & { owners: OwnersRecord }

/** Throws unless the wallet has owners, and the record is the one whose hash the service names. */
export async function requireOwners({ owners, ...rest }: WalletOwners): Promise<Owned> {
  if (owners === null) throw new PasskeyError('owners_changed', 'This wallet has no passkey yet: use enrol.')
  if ((await ownersHash(owners)) === rest.ownersHash) return { owners, ...rest }
  throw new PasskeyError('bad_response', 'The service’s owners do not have the hash that it names.')
}

export async function readOwners({ api }: Passkeys, signal?: AbortSignal): Promise<Owned> {
  return requireOwners(await api.getOwners(signal))
}
