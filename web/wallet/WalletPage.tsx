import { ServiceProvider, useServiceError, useWallet, type ServiceClientConfig } from '@perigee/sdk'
import { useEffect, useMemo, useState } from 'react'
import { ErrorNote } from '../components/ErrorNote.js'
import { Shell } from '../components/Shell.js'
import { useConfig } from '../config/ConfigContext.js'
import { rememberSignedIn } from '../config/signedIn.js'
import { SignedIn } from './SignedIn.js'
import { Welcome } from './Welcome.js'

/** The demo wallet. */
export function WalletPage() {
  const { apiBaseUrl, chainId, rpcUrl, identityProvider } = useConfig()
  const config = useMemo<ServiceClientConfig>(
    () => ({ apiBaseUrl, chainId, identityProvider, rpcUrl }),
    [apiBaseUrl, chainId, rpcUrl, identityProvider],
  )
  return (
    <ServiceProvider config={config}>
      <Wallet />
    </ServiceProvider>
  )
}

function Wallet() {
  const { user, wallet, ready, refresh } = useWallet()
  const problem = useServiceError()
  useEffect(() => {
    if (user) rememberSignedIn(true)
    else if (ready && !problem) rememberSignedIn(false)
  }, [ready, problem, user])
  if (!ready && !user) return <Shell busy />
  const retry = (
    <button type="button" className="button quiet" onClick={() => void refresh().catch(() => undefined)}>
      Try again
    </button>
  )
  return (
    <Shell aside={user && <SignOut />}>
      {problem && !wallet && <h1>Your wallet cannot be loaded now</h1>}
      {problem && <ErrorNote error={problem}>{retry}</ErrorNote>}
      {!user && !problem && <Welcome />}
      {user && wallet && <SignedIn wallet={wallet} />}
      {user && !wallet && !problem && <Provisioning />}
    </Shell>
  )
}

function Provisioning() {
  return (
    <section className="card" aria-busy="true">
      <h1>Making your wallet</h1>
      <p>The enclave is creating a key for you. This takes a second or two.</p>
      <div className="bar" />
    </section>
  )
}

function SignOut() {
  const { user, logout } = useWallet()
  const [failed, setFailed] = useState(false)
  return (
    <>
      <span className="person">{user?.email}</span>
      <button type="button" className="button quiet" onClick={() => void logout().catch(() => setFailed(true))}>
        Sign out
      </button>
      {failed && <span role="alert">Signing out failed. Try again.</span>}
    </>
  )
}
