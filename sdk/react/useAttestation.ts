'use client'
import { useEffect, useState } from 'react'
import { pollProof } from '../client/proof/pollProof.js'
import type { ServiceError } from '../errors/ServiceError.js'
import type { ProofPayload } from '../types.js'
import { useService } from './useService.js'

/** What `useAttestation` returns. */
export interface AttestationState {
  /** The latest answer, or null. A falsy slug keeps the last one. */
  proof: ProofPayload | null
  /** True during a fetch, false between polls. */
  loading: boolean
  /** Set when a fetch fails, cleared by the next that succeeds. */
  error: ServiceError | null
}

type Entry = AttestationState & { slug: string | null }

/** Latest proof for a slug; polls until the state is terminal. */
export function useAttestation(slug: string | null | undefined): AttestationState {
  const { client } = useService()
  const [entry, setEntry] = useState<Entry>({ slug: null, proof: null, loading: false, error: null })
  useEffect(() => {
    if (!slug) return
    // What is known about another slug is dropped, so that a proof never appears under the wrong name.
    const update = (patch: Partial<AttestationState>) =>
      setEntry((old) => ({
        ...(old.slug === slug ? old : { proof: null, loading: false, error: null }),
        slug,
        ...patch,
      }))
    const stop = pollProof(
      (signal) => client.api.getProof(slug, signal),
      (event) => {
        if (event.type === 'loading') update({ loading: true })
        if (event.type === 'proof') update({ proof: event.proof, loading: false, error: null })
        if (event.type === 'error') update({ loading: false, error: event.error })
      },
    )
    return () => {
      stop()
      setEntry((old) => ({ ...old, loading: false }))
    }
  }, [client, slug])
  if (slug && entry.slug !== slug) return { proof: null, loading: true, error: null }
  return { proof: entry.proof, loading: entry.loading, error: entry.error }
}
