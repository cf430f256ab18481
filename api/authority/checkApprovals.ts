import { ServiceError, type Hex, type UnixSeconds } from '@perigee/core'
import {
  checkApprovalTime,
  ownersHash,
  signingIntent,
  verifyOwnersApproval,
  verifyPasskeyApproval,
  type KnownCredential,
  type OwnersRecord,
  type PasskeyApproval,
  type Signable,
} from '@perigee/core/authorisation'
import type { NewOwners } from '@perigee/core/workflow'
import type { OwnWallet } from '../ApiDeps.js'

/*
 * The enclave makes these checks again and decides. They are made here too, so that a request that cannot succeed is
 * refused at once, with its code, and costs no entropy.
 */

/** Throws unless a signature with this wallet may be asked for with this approval. */
export async function checkSignApproval(
  { owners, info }: Pick<OwnWallet, 'owners' | 'info'>,
  asked: Signable,
  approval: PasskeyApproval | null,
  now: UnixSeconds,
): Promise<void> {
  if (owners === null) {
    if (approval === null) return
    throw new ServiceError('authorisation_invalid', 'this wallet has no owners, so there is nobody to approve')
  }
  if (approval === null) {
    throw new ServiceError('authorisation_required', 'one of this wallet’s passkeys must approve the signature')
  }
  checkApprovalTime(approval, now)
  await verifyPasskeyApproval(approval, owners.credentials, signingIntent(info.address, owners, asked))
}

/** Throws unless the owners of `wallet` (null: a new one) may become these with this approval. */
export async function checkOwnersApproval(
  wallet: Pick<OwnWallet, 'owners' | 'info'> | null,
  { owners: next, approval }: Pick<NewOwners, 'owners' | 'approval'>,
  now: UnixSeconds,
): Promise<void> {
  const current = wallet?.owners ?? null
  if (wallet && next.previous !== (current && ownersHash(current))) {
    throw new ServiceError('owners_changed', 'the wallet’s owners were changed meanwhile; look at them again')
  }
  await verifyOwnersApproval(approval, { ...(wallet && { address: wallet.info.address }), current, next }, now)
}

/**
 * What is remembered about each passkey of the record: as given with the request, or as known before. Throws
 * `invalid_request` for a passkey without an id, which could never be asked for.
 */
export function credentialsOf(
  { credentials }: OwnersRecord,
  given: readonly { publicKey: Hex; id: string; label?: string | undefined }[],
  known: readonly KnownCredential[],
  addedAt: string,
): KnownCredential[] {
  return credentials.map(({ publicKey }) => {
    const before = known.find((one) => one.publicKey === publicKey)
    const now = given.find((one) => one.publicKey === publicKey)
    const id = now?.id ?? before?.id
    if (id === undefined) throw new ServiceError('invalid_request', 'credentials: every passkey needs its id')
    return { publicKey, id, label: now?.label ?? before?.label ?? null, addedAt: before?.addedAt ?? addedAt }
  })
}
