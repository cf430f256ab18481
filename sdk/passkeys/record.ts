import type { ServiceError } from '../errors/ServiceError.js'
import type {
  Enrolled,
  Hex,
  Intent,
  OwnerCredential,
  OwnersChange,
  OwnersRecord,
  PasskeyApproval,
  WalletOwners,
} from '../types.js'
import { askPasskey, usableHere, type Candidate, type Matter } from './askPasskey.js'
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
export function nextRecord(
  current: OwnersRecord | null,
  credentials: readonly OwnerCredential[],
  recoveryKey: Hex | null,
): OwnersRecord {
  return {
    version: 1,
    sequence: current === null ? 0 : current.sequence + 1,
    previous: current === null ? null : ownersHash(current),
    threshold: 1,
    recovery: recoveryKey === null ? null : { kind: 'code', publicKey: recoveryKey },
    credentials: [...credentials].sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1)),
  }
}

/** What is signed to agree to a change. */
export function matterOf({ address, current, next }: Change): Matter {
  return { kind: 'owners', address, ownersHash: ownersHash(current), chainId: 0, digest: ownersHash(next) }
}

/** Prompts for one of these passkeys, which then agrees to the change. */
export function agree(
  { site }: Passkeys,
  change: Change,
  candidates: readonly Candidate[],
  signal?: AbortSignal,
): Promise<PasskeyApproval> {
  return askPasskey(site, matterOf(change), candidates, signal)
}

/**
 * Stores the change. Without a clear answer it may be stored all the same, then or later: the service is asked what it has.
 * If it does not have the change, the error carries the new recovery code, which may become the valid one.
 */
export async function save(
  { api, onChange }: Passkeys,
  change: OwnersChange,
  recoveryCode: string | null = null,
  send = () => api.changeOwners(change),
): Promise<Enrolled> {
  const wanted = ownersHash(change.owners)
  const owners = await send().catch(async (error: ServiceError) => {
    const isRefused = error.status !== null && error.status >= 400 && error.status < 500
    const mayBeStored = !isRefused || error.code === 'owners_changed'
    const now = mayBeStored ? await api.getOwners().catch(() => null) : null
    if (now?.ownersHash === wanted) return now
    throw isRefused ? error : uncertain(error, recoveryCode)
  })
  if (owners.ownersHash !== wanted) {
    throw new PasskeyError('owners_changed', 'The wallet has other owners: these were not stored.')
  }
  try {
    await onChange?.(owners)
  } catch {
    // The owners are stored, and the code must reach the person. A session keeps the error of its look-up.
  }
  return { owners, recoveryCode }
}

function uncertain(cause: ServiceError, recoveryCode: string | null): PasskeyError {
  const { status, requestId } = cause
  const keep = 'Keep the new recovery code, and the old one if there is one: one of them is valid.'
  const message = `It is unknown whether the change was stored. ${cause.message} ${recoveryCode === null ? '' : keep}`
  return new PasskeyError('owners_uncertain', message.trim(), { status, requestId, recoveryCode, cause })
}

/** Prompts for one of the wallet's passkeys, which then agrees to exactly this. */
export async function approve(
  { site }: Passkeys,
  wallet: WalletOwners,
  chainId: number,
  digest: Hex,
  signal?: AbortSignal,
  kind: Intent['kind'] = 'transaction',
): Promise<PasskeyApproval> {
  const { owners, credentials, address, ownersHash } = requireOwners(wallet)
  const candidates = usableHere(owners.credentials, credentials, site)
  return askPasskey(site, { kind, address, ownersHash, chainId, digest }, candidates, signal)
}

/** A wallet's owners as the service tells them, with a record. */
export type Owned = WalletOwners & { owners: OwnersRecord }

/** Throws unless the wallet has owners, and the record is the one whose hash the service names. */
function requireOwners({ owners, ...rest }: WalletOwners): Owned {
  if (owners === null) throw new PasskeyError('owners_changed', 'This wallet has no passkey yet: use enrol.')
  if (ownersHash(owners) === rest.ownersHash) return { owners, ...rest }
  throw new PasskeyError('bad_response', 'The service’s owners do not have the hash that it names.')
}

export async function readOwners({ api }: Passkeys, signal?: AbortSignal): Promise<Owned> {
  return requireOwners(await api.getOwners(signal))
}
