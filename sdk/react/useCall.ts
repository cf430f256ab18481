'use client'
import { useCallback, useState } from 'react'
import type { ServiceClient } from '../client/ServiceClient.js'
import { toServiceError, walletNotReady, type ServiceError } from '../errors/ServiceError.js'
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

type Method = 'signAndSend' | 'signMessage' | 'signTypedData'
type Result<M extends Method> = Awaited<ReturnType<ServiceClient[M]>>

/** The client's method for the wallet of the signed-in person, and what became of its calls. */
export function useCall<M extends Method>(method: M): [ServiceClient[M], CallState<Result<M>>] {
  const { session } = useServiceContext()
  const [state, setState] = useState({
    running: 0,
    error: null as ServiceError | null,
    lastResult: null as Result<M> | null,
  })
  const call = useCallback(
    async (content: unknown, options?: object) => {
      setState((old) => ({ ...old, running: old.running + 1, error: null }))
      try {
        const { client, get } = session
        const { wallet } = get() // as it is now, not as it was when this component rendered
        if (!wallet) throw walletNotReady()
        const known = { ...options, address: wallet.address }
        const lastResult = (await client[method](content as never, known)) as Result<M>
        setState((old) => ({ ...old, running: old.running - 1, lastResult }))
        return lastResult
      } catch (cause) {
        const error = toServiceError(cause)
        setState((old) => ({ ...old, running: old.running - 1, error }))
        throw error
      }
    },
    [session, method],
  )
  const { running, error, lastResult } = state
  return [call as ServiceClient[M], { pending: running > 0, error, lastResult }]
}
