'use client'
import { useCallback, useState } from 'react'
import type { ServiceError } from '../errors/ServiceError.js'
import { toServiceError } from '../errors/toServiceError.js'
import { walletNotReady } from '../errors/walletNotReady.js'
import type { SignOptions, SignRequest, SignResult } from '../types.js'
import { useServiceContext } from './useService.js'

/** What `useSign` returns. */
export interface SignState {
  /** Returns the result and rejects on error. */
  signAndSend: (request: SignRequest, options?: SignOptions) => Promise<SignResult>
  /** True from invocation until the promise settles. */
  pending: boolean
  /** Set on rejection, cleared on the next invocation. */
  error: ServiceError | null
  /** The latest successful result. */
  lastResult: SignResult | null
}

/** Signs and sends transactions from the wallet of the signed-in person. */
export function useSign(): SignState {
  const { session } = useServiceContext()
  const [state, setState] = useState({
    running: 0,
    error: null as ServiceError | null,
    lastResult: null as SignResult | null,
  })
  const signAndSend = useCallback(
    async (request: SignRequest, options?: SignOptions) => {
      setState((old) => ({ ...old, running: old.running + 1, error: null }))
      try {
        const { wallet } = session.get() // as it is now, not as it was when this component rendered
        if (!wallet) throw walletNotReady()
        const lastResult = await session.client.signAndSend(request, { ...options, address: wallet.address })
        setState((old) => ({ ...old, running: old.running - 1, lastResult }))
        return lastResult
      } catch (cause) {
        const error = toServiceError(cause)
        setState((old) => ({ ...old, running: old.running - 1, error }))
        throw error
      }
    },
    [session],
  )
  return { signAndSend, pending: state.running > 0, error: state.error, lastResult: state.lastResult }
}
