import type { Hex } from '../bytes/index.js'
import type { OwnedSince } from './Authorisation.js'
import type { OwnersRecord } from './Owners.js'

/** What the service remembers about a passkey so that its user can be asked for it. Private: never in a receipt. */
export interface KnownCredential {
  publicKey: Hex
  /** The credential id, base64url, for `allowCredentials`. */
  id: string
  /** The user's own name for the device. */
  label: string | null
  /** ISO 8601. */
  addedAt: string
}

/** Answer of `GET /wallet/owners`. */
export interface WalletOwners {
  address: Hex
  /** Null for a wallet without owners. */
  owners: OwnersRecord | null
  /** Zeros for a wallet without owners. */
  ownersHash: Hex
  since: OwnedSince | null
  credentials: KnownCredential[]
}
