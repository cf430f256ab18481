'use client'
import type { ServiceClient } from '../client/ServiceClient.js'
import type { SignOptions, SignRequest, SignResult } from '../types.js'
import { useCall, type CallState } from './useCall.js'

/** What `useSign` returns. */
export interface SignState extends CallState<SignResult> {
  /** Returns the result and rejects on error. */
  signAndSend: (request: SignRequest, options?: SignOptions) => Promise<SignResult>
}

/** Signs and sends transactions from the wallet of the signed-in person. */
export function useSign(): SignState {
  const [signAndSend, state] = useCall(run)
  return { signAndSend, ...state }
}

const run = (client: ServiceClient, request: SignRequest, options: SignOptions) => client.signAndSend(request, options)
