import { createApi, type ApiConfig } from '../createApi.js'
import { waitForProof, type WaitForProofOptions } from './waitForProof.js'
import type { ProofPayload } from '../../types.js'

/** Reads proofs, which are public: needs no session, no chain and no viem. */
export interface ProofReader {
  getProof(slug: string, signal?: AbortSignal): Promise<ProofPayload>
  /** Polls until the proof is published, or has failed to be. */
  waitForProof(slug: string, options?: WaitForProofOptions): Promise<ProofPayload>
}

/** For pages that only show proofs. A full client can do the same. */
export function createProofReader(config: ApiConfig): ProofReader {
  const api = createApi(config, 'omit') // proofs are public: no session needed
  return { getProof: api.getProof, waitForProof: (slug, options) => waitForProof(api, slug, options) }
}
