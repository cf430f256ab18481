'use client'
import type { ServiceClient } from '../client/ServiceClient.js'
import type { SignMessageOptions, SignMessageResult, TypedDataInput } from '../types.js'
import { useCall, type CallState } from './useCall.js'

/** What `useSignTypedData` returns. */
export interface SignTypedDataState extends CallState<SignMessageResult> {
  /** Returns signature, slug and opening, and rejects on error. */
  signTypedData: (typedData: TypedDataInput | string, options?: SignMessageOptions) => Promise<SignMessageResult>
}

/** Signs typed data with the wallet of the signed-in person (EIP-712, `eth_signTypedData_v4`). */
export function useSignTypedData(): SignTypedDataState {
  const [signTypedData, state] = useCall(run)
  return { signTypedData, ...state }
}

const run = (client: ServiceClient, typedData: TypedDataInput | string, options: SignMessageOptions) =>
  client.signTypedData(typedData, options)
