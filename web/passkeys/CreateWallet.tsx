import { ServiceError, useService } from '@perigee/sdk'
import { useState } from 'react'
import { WalletError } from '../components/WalletError.js'
import { Note } from '../components/Note.js'
import { deviceName } from './deviceName.js'
import { RecoveryChoice } from './RecoveryChoice.js'
import type { PasskeyActions } from './usePasskeyActions.js'

/** The first choice of a newcomer: a wallet that needs a passkey for every signature, or one that does not. */
export function CreateWallet({ actions, onWithout }: { actions: PasskeyActions; onWithout: () => void }) {
  const { enrol } = useService()
  const [recovery, setRecovery] = useState(true)
  const { busy, failed, run } = actions
  const create = () => void run('enrol', () => enrol({ label: deviceName(), recovery }))
  return (
    <>
      <h1>Make your wallet</h1>
      <section className="card" aria-labelledby="with-title" aria-busy={busy === 'enrol'}>
        <div className="spread">
          <h2 id="with-title">With a passkey</h2>
          <span className="chip good">recommended</span>
        </div>
        <p>
          The key is made so that the enclave signs nothing without your passkey: your fingerprint, face or PIN on this
          device, for each transaction. Not even the people who run this service can sign without you.
        </p>
        <RecoveryChoice checked={recovery} onChange={setRecovery} />
        <div className="actions">
          <button type="button" className="button primary large" disabled={busy !== null} onClick={create}>
            {busy === 'enrol' ? 'Waiting for your passkey…' : 'Create with a passkey'}
          </button>
          <span className="fine" role="status">
            {busy === 'enrol' && 'Your device asks twice: to make the passkey, and to sign with it once.'}
          </span>
        </div>
        {busy === 'enrol' && <div className="bar" />}
        {failed?.action === 'enrol' && <Failed error={failed.error} onWithout={onWithout} />}
      </section>
      <section className="card" aria-labelledby="without-title">
        <h2 id="without-title">Without a passkey</h2>
        <p>
          Signing in is then enough to sign, and there is no passkey to lose. Anyone who takes over your sign-in, or the
          attested service itself, can have transactions signed. You can add a passkey later; that protects less than
          making the wallet with one.
        </p>
        <div className="actions">
          <button type="button" className="button" disabled={busy !== null} onClick={onWithout}>
            Create without a passkey
          </button>
        </div>
      </section>
    </>
  )
}

/** A wallet that is there already gets a passkey only after the person has read what that gives. */
function Failed({ error, onWithout }: { error: unknown; onWithout: () => void }) {
  if (!(error instanceof ServiceError) || error.code !== 'wallet_exists') return <WalletError error={error} />
  return (
    <Note tone="warn" role="alert" title="You already have a wallet, made without a passkey.">
      <p>
        If you did not make it, a link that you followed to sign in did. You can add a passkey to it, but an older
        sealed copy of its key stays usable by the operator. For full protection sign out, sign in with another account,
        and make a wallet with a passkey there.
      </p>
      <div className="actions">
        <button type="button" className="button" onClick={onWithout}>
          Show this wallet
        </button>
      </div>
    </Note>
  )
}
