import { ServiceClient } from '@perigee/sdk/client'
import { announceProvider, createEip1193Provider, type RequestArguments } from '@perigee/sdk/eip1193'
import type { ServiceClientConfig } from '@perigee/sdk'

/** What a page asked the wallet for, and what it was answered. */
export interface Asked extends RequestArguments {
  result?: unknown
  error?: { code: number; message: string }
}

declare global {
  interface Window {
    walletConfig: ServiceClientConfig
    wallet: { client: ServiceClient; asked: Asked[]; tellAccounts: (accounts: string[]) => void }
  }
}

// Runs in a page before its own scripts, as an extension's script does: announces the wallet, and notes what it is asked.
const client = new ServiceClient(window.walletConfig)
const own = createEip1193Provider({ client })
const asked: Asked[] = []
const listeners = new Set<(accounts: string[]) => void>()
const provider = {
  ...own,
  isMetaMask: true, // the test dapp enables its buttons for no other wallet
  async request(args: RequestArguments) {
    const entry: Asked = { ...args }
    try {
      return (entry.result = await own.request(args))
    } catch (error) {
      const { code, message } = error as { code: number; message: string }
      entry.error = { code, message }
      throw error
    } finally {
      asked.push(entry)
    }
  },
  on(event: string, listener: (...args: never[]) => void) {
    if (event === 'accountsChanged') listeners.add(listener as never)
    return own.on(event, listener)
  },
}
announceProvider(provider)
const tellAccounts = (accounts: string[]) => listeners.forEach((listener) => listener(accounts))
window.wallet = { client, asked, tellAccounts }
