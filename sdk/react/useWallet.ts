'use client'
import type { ServiceContextValue } from './ServiceContext.js'
import { useService } from './useService.js'

/** What `useWallet` returns. */
export type WalletState = Pick<ServiceContextValue, 'user' | 'wallet' | 'ready' | 'login' | 'logout' | 'refresh'>

/** The signed-in person and their wallet. */
export function useWallet(): WalletState {
  const { user, wallet, ready, login, logout, refresh } = useService()
  return { user, wallet, ready, login, logout, refresh }
}
