import type { Hex } from './bytes/index.js'

/** The person behind a session. */
export interface SessionUser {
  id: string
  email: string
  name: string | null
}

/** A person's wallet. `provenance` is the entropy witness taken when the key was made; it never changes. */
export interface WalletInfo {
  address: Hex
  createdAt: string
  provenance: { entropyHash: string; entropySig: string; satelliteSource: string }
}
