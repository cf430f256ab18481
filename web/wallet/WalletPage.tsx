import { ServiceProvider, useService, useServiceError, type ServiceClientConfig } from '@perigee/sdk'
import { useEffect, useMemo, useState } from 'react'
import { ErrorNote } from '../components/ErrorNote.js'
import { Shell } from '../components/Shell.js'
import { useConfig } from '../config/ConfigContext.js'
import { rememberSignedIn } from '../config/signedIn.js'
import { CreateWallet } from '../passkeys/CreateWallet.js'
import { RecoveryCode } from '../passkeys/RecoveryCode.js'
import { usePasskeyActions } from '../passkeys/usePasskeyActions.js'
import { SignedIn } from './SignedIn.js'
import { SignOut, SignOutFailed, type SignOutProps } from './SignOut.js'
import { Welcome } from './Welcome.js'

/**
 * The demo wallet. It starts with passkeys required, so that sign-in makes no wallet before the person has chosen; a
 * person who has, or wants, a wallet without one goes on with passkeys optional.
 */
export function WalletPage() {
  const { apiBaseUrl, chainId, rpcUrl, identityProvider } = useConfig()
  const [authorisation, setAuthorisation] = useState<'required' | 'optional'>('required')
  const [signOutFailed, setSignOutFailed] = useState(false)
  const config = useMemo<ServiceClientConfig>(
    () => ({ apiBaseUrl, chainId, identityProvider, rpcUrl, authorisation }),
    [apiBaseUrl, chainId, rpcUrl, identityProvider, authorisation],
  )
  return (
    <ServiceProvider key={authorisation} config={config}>
      <Wallet
        required={authorisation === 'required'}
        onMode={setAuthorisation}
        signOutFailed={signOutFailed}
        onSignOut={setSignOutFailed}
      />
    </ServiceProvider>
  )
}

interface WalletProps extends SignOutProps {
  required: boolean
  onMode: (mode: 'required' | 'optional') => void
  signOutFailed: boolean
}

function Wallet({ required, onMode, signOutFailed, onSignOut }: WalletProps) {
  const { user, wallet, owners, ready, refresh } = useService()
  const problem = useServiceError()
  // After a failed sign-in the page stays usable: one signs in again there.
  const down = problem?.facts['step'] === 'sign_in' ? null : problem
  const actions = usePasskeyActions()
  useEffect(() => {
    if (user) rememberSignedIn(true)
    else if (ready && !down) rememberSignedIn(false)
  }, [ready, down, user])
  const isIdle = actions.busy === null && actions.code === null // another mode would drop the code
  const isWithout = required && owners !== null && owners.owners === null && isIdle
  useEffect(() => {
    if (isWithout) onMode('optional')
    if (!required && ready && !user) onMode('required') // the next person chooses again
  }, [isWithout, required, ready, user, onMode])
  if ((!ready && (!user || required)) || isWithout) return <Shell busy />
  const retry = (
    <button type="button" className="button quiet" onClick={() => void refresh().catch(() => undefined)}>
      Try again
    </button>
  )
  const { code, forgetCode } = actions
  if (user && code) {
    const onStored = () => {
      forgetCode()
      if (!code.isCertain) void refresh().catch(() => undefined) // the change may have been stored by now
    }
    return (
      <Shell aside={<SignOut onSignOut={onSignOut} />}>
        <RecoveryCode code={code} onStored={onStored} />
      </Shell>
    )
  }
  const creating = required && (!wallet || actions.busy === 'enrol')
  return (
    <Shell aside={user && <SignOut onSignOut={onSignOut} />}>
      {signOutFailed && <SignOutFailed onSignOut={onSignOut} />}
      {down && !wallet && <h1>Your wallet cannot be loaded now</h1>}
      {problem && <ErrorNote error={problem}>{down && retry}</ErrorNote>}
      {!user && !down && <Welcome />}
      {user && creating && !down && <CreateWallet actions={actions} onWithout={() => onMode('optional')} />}
      {user && !creating && wallet && <SignedIn wallet={wallet} actions={actions} />}
      {user && !required && !wallet && !down && <Provisioning />}
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
