import { useService } from '@perigee/sdk'
import { useState } from 'react'
import { WalletError } from '../components/WalletError.js'
import { deviceName } from './deviceName.js'
import { RecoveryChoice } from './RecoveryChoice.js'
import type { PasskeyActions } from './usePasskeyActions.js'

/** Gives a passkey to a wallet that was made without one. */
export function Claim({ actions: { busy, failed, run } }: { actions: PasskeyActions }) {
  const { enrol } = useService()
  const [recovery, setRecovery] = useState(true)
  return (
    <>
      <p className="empty">
        This wallet has no passkey: signing in is enough to sign. Add one, and this page can sign only with your
        approval.
      </p>
      <p className="fine">
        This protects less than making the wallet with a passkey: the operator could still use an older sealed copy of
        the key. For full protection sign in with another account, and make a wallet with a passkey there.
      </p>
      <RecoveryChoice checked={recovery} onChange={setRecovery} />
      <div className="actions">
        <button
          type="button"
          className="button"
          disabled={busy !== null}
          onClick={() => void run('enrol', () => enrol({ label: deviceName(), recovery }))}
        >
          {busy === 'enrol' ? 'Waiting for your passkey…' : 'Add a passkey'}
        </button>
      </div>
      {failed?.action === 'enrol' && <WalletError error={failed.error} />}
    </>
  )
}
