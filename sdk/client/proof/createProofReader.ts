import { createApi } from '../createApi.js'
import { waitForProof, type WaitForProofOptions } from './waitForProof.js'
import type { ProofPayload, ServiceClientConfig } from '../../types.js'

/** Reads proofs, which are public: needs no session, no chain and no viem. */
export interface ProofReader {
  getProof(slug: string, signal?: AbortSignal): Promise<ProofPayload>
  /** Polls until the proof is published, or has failed to be. */
  waitForProof(slug: string, options?: WaitForProofOptions): Promise<ProofPayload>
}

/** For pages that only show proofs. A full client can do the same. */
export function createProofReader(
  config: Pick<ServiceClientConfig, 'apiBaseUrl' | 'timeoutMs' | 'fetch'>,
): ProofReader {
  const api = createApi({
    baseUrl: config.apiBaseUrl.replace(/\/+$/, ''),
    timeoutMs: config.timeoutMs ?? 15_000,
    fetch: config.fetch ?? ((input, init) => fetch(input, init)),
    credentials: 'omit', // proofs are public: no session needed
  })
  return { getProof: api.getProof, waitForProof: (slug, options) => waitForProof(api, slug, options) }
}
