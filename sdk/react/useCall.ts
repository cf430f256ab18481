'use client'
import { useCallback, useState } from 'react'
import type { ServiceClient } from '../client/ServiceClient.js'
import type { ServiceError } from '../errors/ServiceError.js'
import { toServiceError } from '../errors/toServiceError.js'
import { walletNotReady } from '../errors/walletNotReady.js'
import type { Hex } from '../types.js'
import { useServiceContext } from './useService.js'

/** What every hook that signs returns beside its function. */
export interface CallState<Result> {
  /** True from invocation until the promise settles. */
  pending: boolean
  /** Set on rejection, cleared on the next invocation. */
  error: ServiceError | null
  /** The latest successful result. */
  lastResult: Result | null
}

/** Calls `run` for the wallet of the signed-in person, and keeps what became of it. `run` must not change. */
export function useCall<Content, Options extends { address?: Hex }, Result>(
  run: (client: ServiceClient, content: Content, options: Options) => Promise<Result>,
): [(content: Content, options?: Options) => Promise<Result>, CallState<Result>] {
  const { session } = useServiceContext()
  const [state, setState] = useState({
    running: 0,
    error: null as ServiceError | null,
    lastResult: null as Result | null,
  })
  const call = useCallback(
    async (content: Content, options?: Options) => {
      setState((old) => ({ ...old, running: old.running + 1, error: null }))
      try {
        const { wallet } = session.get() // as it is now, not as it was when this component rendered
        if (!wallet) throw walletNotReady()
        const known = { ...options, address: wallet.address } as Options
        const lastResult = await run(session.client, content, known)
        setState((old) => ({ ...old, running: old.running - 1, lastResult }))
        return lastResult
      } catch (cause) {
        const error = toServiceError(cause)
        setState((old) => ({ ...old, running: old.running - 1, error }))
        throw error
      }
    },
    [session, run],
  )
  const { running, error, lastResult } = state
  return [call, { pending: running > 0, error, lastResult }]
}
