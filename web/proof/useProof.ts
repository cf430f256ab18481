import { createProofReader, ServiceError, type ProofPayload } from '@perigee/sdk/proof'
import { useEffect, useMemo, useState } from 'react'
import { useConfig } from '../config/ConfigContext.js'
import { parseAnswer } from './parseAnswer.js'

export interface WatchedProof {
  proof: ProofPayload | null
  error: ServiceError | null
}

const noTimeoutMs = 2 ** 31 - 1
const pollAgainMs = 10_000
/** Several times the largest receipt. */
const mostBytes = 4 * 1024 * 1024

/**
 * Follows a proof without a session, because anyone may open its page. After a failure it keeps polling, more slowly:
 * an operator may repair the proof while the page is open.
 */
export function useProof(slug: string): WatchedProof {
  const { apiBaseUrl } = useConfig()
  const reader = useMemo(() => createProofReader({ apiBaseUrl, fetch: fetchBounded }), [apiBaseUrl])
  const [state, setState] = useState<WatchedProof>({ proof: null, error: null })
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const follow = async (): Promise<void> => {
      while (!signal.aborted) {
        const final = await reader.waitForProof(slug, {
          signal,
          timeoutMs: noTimeoutMs,
          onProof: (answer) => setState({ proof: parseAnswer(answer, slug), error: null }),
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

/** Reads no more of an answer than a proof can have. */
async function fetchBounded(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init)
  let left = mostBytes
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, stream) {
      left -= chunk.length
      if (left < 0) throw new ServiceError('bad_response', 'The service’s answer is too large for a proof.')
      stream.enqueue(chunk)
    },
  })
  return new Response(response.body?.pipeThrough(bounded) ?? null, response)
}
