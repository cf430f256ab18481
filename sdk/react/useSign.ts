'use client'
import type { ServiceClient } from '../client/ServiceClient.js'
import type { SignResult } from '../types.js'
import { useCall, type CallState } from './useCall.js'

/** What `useSign` returns. */
export interface SignState extends CallState<SignResult> {
  /** Returns the result and rejects on error. */
  signAndSend: ServiceClient['signAndSend']
}

/** Signs and sends transactions from the wallet of the signed-in person. */
export function useSign(): SignState {
  const [signAndSend, state] = useCall('signAndSend')
  return { signAndSend, ...state }
}
