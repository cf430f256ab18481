import { useService, type KnownCredential } from '@perigee/sdk'
import { useState } from 'react'
import { WalletError } from '../components/WalletError.js'
import { formatTime } from '../format/formatTime.js'
import type { PasskeyActions } from './usePasskeyActions.js'

interface DeviceProps {
  device: KnownCredential
  /** The wallet's only passkey: it cannot be removed. */
  last: boolean
  /** Removing it leaves one passkey and no recovery code. */
  leavesOne: boolean
  actions: PasskeyActions
}

/** One passkey of the wallet, and how to remove it. */
export function Device({ device, last, leavesOne, actions: { busy, failed, run } }: DeviceProps) {
  const { removeDevice } = useService()
  const [asking, setAsking] = useState(false)
  const { publicKey, label, addedAt } = device
  const action = `remove ${publicKey}`
  const name = label ?? 'Passkey'
  const remove = async () => {
    await run(action, () => removeDevice(publicKey))
    setAsking(false)
  }
  return (
    <li className="device">
      <span>
        <strong>{name}</strong>
        <span className="fine"> since {formatTime(addedAt)}</span>
        <br />
        <code className="fine">{`${publicKey.slice(0, 10)}…${publicKey.slice(-6)}`}</code>
      </span>
      {!last && !asking && (
        <button type="button" className="button quiet" disabled={busy !== null} onClick={() => setAsking(true)}>
          Remove<span className="visually-hidden"> {name}</span>
        </button>
      )}
      {asking && (
        <div className="note warn" role="group" aria-label={`Remove ${name}`}>
          <p>
            <strong>Remove {name}?</strong> One of the passkeys that stay must agree.{' '}
            {leavesOne &&
              'Afterwards one passkey is left and there is no recovery code: if that device is lost, the wallet is gone for good. Make a recovery code first.'}
          </p>
          <div className="actions">
            <button type="button" className="button primary" disabled={busy !== null} onClick={() => void remove()}>
              {busy === action ? 'Waiting for your passkey…' : 'Remove it'}
            </button>
            <button type="button" className="button quiet" disabled={busy !== null} onClick={() => setAsking(false)}>
              Keep it
            </button>
          </div>
        </div>
      )}
      {failed?.action === action && <WalletError error={failed.error} />}
    </li>
  )
}
