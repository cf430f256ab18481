import type { Hex } from './bytes/index.js'

/** The person behind a session. */
export interface SessionUser {
  id: string
  email: string
  name: string | null
}

/**
 * A person's wallet. `provenance` is the entropy witness taken when the key was made; it never changes. `entropySig` is
 * empty where the source does not sign its values: a beacon, whose record is signed instead, or an operator.
 */
export interface WalletInfo {
  address: Hex
  createdAt: string
  provenance: { entropyHash: string; entropySig: string; satelliteSource: string }
}
