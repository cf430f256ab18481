import { ServiceError, type Hex, type UnixSeconds } from '@perigee/core'
import {
  checkApprovalTime,
  signingIntent,
  verifyOwnersApproval,
  verifyPasskeyApproval,
  type OwnersApproval,
  type OwnersRecord,
  type PasskeyApproval,
  type Signable,
} from '@perigee/core/authorisation'

/** Throws unless one of the wallet's owners agreed to this signature. A wallet without owners needs no approval. */
export async function requireOwner(
  { owners, approval, address }: { owners: OwnersRecord | null; approval: PasskeyApproval | null; address: Hex },
  about: Signable,
  now: UnixSeconds,
): Promise<void> {
  if (owners === null) return refuseStray(approval)
  if (approval === null) return requireApproval()
  checkApprovalTime(approval, now)
  await verifyPasskeyApproval(approval, owners.credentials, signingIntent(address, owners, about))
}

/** Throws unless every passkey of a wallet's first record signed that record. A wallet may also start without owners. */
export async function requireFirstOwners(
  { owners, approval }: { owners: OwnersRecord | null; approval: OwnersApproval | null },
  now: UnixSeconds,
): Promise<void> {
  if (owners === null) return refuseStray(approval)
  if (approval === null) return requireApproval()
  await verifyOwnersApproval(approval, { current: null, next: owners }, now)
}

function requireApproval(): never {
  throw new ServiceError('authorisation_required', 'this wallet has owners: one of them must approve')
}

/** Evidence that nobody checks must not look as if it had been checked. */
function refuseStray(approval: object | null): void {
  if (approval !== null) throw new ServiceError('authorisation_invalid', 'a wallet without owners takes no approval')
}
