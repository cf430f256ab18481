'use client'
import type { ServiceClient } from '../client/ServiceClient.js'
import type { SignableMessage, SignMessageOptions, SignMessageResult } from '../types.js'
import { useCall, type CallState } from './useCall.js'

/** What `useSignMessage` returns. */
export interface SignMessageState extends CallState<SignMessageResult> {
  /** Returns signature, slug and opening, and rejects on error. */
  signMessage: (message: SignableMessage, options?: SignMessageOptions) => Promise<SignMessageResult>
}

/** Signs messages with the wallet of the signed-in person (EIP-191, `personal_sign`). */
export function useSignMessage(): SignMessageState {
  const [signMessage, state] = useCall(run)
  return { signMessage, ...state }
}

const run = (client: ServiceClient, message: SignableMessage, options: SignMessageOptions) =>
  client.signMessage(message, options)
