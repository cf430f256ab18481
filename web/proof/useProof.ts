import { createProofReader, type ProofPayload, type ServiceError } from '@perigee/sdk/proof'
import { useEffect, useMemo, useState } from 'react'
import { useConfig } from '../config/ConfigContext.js'

export interface WatchedProof {
  proof: ProofPayload | null
  error: ServiceError | null
}

const noTimeoutMs = 2 ** 31 - 1
const pollAgainMs = 10_000

/**
 * Follows a proof without a session, because anyone may open its page. After a failure it keeps polling, more slowly:
 * an operator may repair the proof while the page is open.
 */
export function useProof(slug: string): WatchedProof {
  const { apiBaseUrl } = useConfig()
  const reader = useMemo(() => createProofReader({ apiBaseUrl }), [apiBaseUrl])
  const [state, setState] = useState<WatchedProof>({ proof: null, error: null })
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const follow = async (): Promise<void> => {
      while (!signal.aborted) {
        const final = await reader.waitForProof(slug, {
          signal,
          timeoutMs: noTimeoutMs,
          onProof: (proof) => setState({ proof, error: null }),
          onError: (error) => setState((old) => ({ ...old, error })),
        })
        if (final.status === 'complete') return
        await new Promise((resolve) => setTimeout(resolve, pollAgainMs))
      }
    }
    follow().catch((error: ServiceError) => {
      if (!signal.aborted) setState((old) => ({ ...old, error }))
    })
    return () => controller.abort()
  }, [reader, slug])
  return state
}
