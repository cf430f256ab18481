'use client'
import type { ServiceClient } from '../client/ServiceClient.js'
import type { SignMessageResult } from '../types.js'
import { useCall, type CallState } from './useCall.js'

/** What `useSignMessage` returns. */
export interface SignMessageState extends CallState<SignMessageResult> {
  /** Returns signature, slug and opening, and rejects on error. */
  signMessage: ServiceClient['signMessage']
}

/** Signs messages with the wallet of the signed-in person (EIP-191, `personal_sign`). */
export function useSignMessage(): SignMessageState {
  const [signMessage, state] = useCall('signMessage')
  return { signMessage, ...state }
}
