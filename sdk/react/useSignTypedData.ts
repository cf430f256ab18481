'use client'
import type { ServiceClient } from '../client/ServiceClient.js'
import type { SignMessageResult } from '../types.js'
import { useCall, type CallState } from './useCall.js'

/** What `useSignTypedData` returns. */
export interface SignTypedDataState extends CallState<SignMessageResult> {
  /** Returns signature, slug and opening, and rejects on error. */
  signTypedData: ServiceClient['signTypedData']
}

/** Signs typed data with the wallet of the signed-in person (EIP-712, `eth_signTypedData_v4`). */
export function useSignTypedData(): SignTypedDataState {
  const [signTypedData, state] = useCall('signTypedData')
  return { signTypedData, ...state }
}
