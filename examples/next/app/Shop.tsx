'use client'
import { ServiceProvider, useWallet } from '@perigee/sdk'
import { SignIn } from './SignIn'

/** The wallet comes first: without one there is nothing to sign in with. */
export function Shop(addresses: { apiBaseUrl: string; rpcUrl: string }) {
  return (
    <ServiceProvider config={{ ...addresses, chainId: 31337, identityProvider: 'dev' }}>
      <main>
        <h1>Shop</h1>
        <Wallet />
      </main>
    </ServiceProvider>
  )
}

function Wallet() {
  const { wallet, user, ready, login } = useWallet()
  if (!ready) return <p>Loading…</p>
  if (!user) return <button onClick={login}>Open your wallet</button>
  if (!wallet) return <p>Making your wallet…</p>
  return <SignIn address={wallet.address} />
}
