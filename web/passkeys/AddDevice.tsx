import { useService } from '@perigee/sdk'
import { useState, type FormEvent } from 'react'
import { WalletError } from '../components/WalletError.js'
import { Field } from '../components/Field.js'
import type { PasskeyActions } from './usePasskeyActions.js'

/** A second passkey: on a security key, a phone beside this computer, or this device while another approves. */
export function AddDevice({ actions: { busy, failed, run } }: { actions: PasskeyActions }) {
  const { addDevice } = useService()
  const [label, setLabel] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (await run('addDevice', () => addDevice(label.trim() ? { label: label.trim() } : {}))) setLabel('')
  }
  return (
    <details open={busy === 'addDevice' || failed?.action === 'addDevice' || undefined}>
      <summary>Add a device</summary>
      <form onSubmit={(event) => void submit(event)}>
        <Field
          id="device-label"
          label="Name of the device"
          placeholder="Phone"
          value={label}
          onChange={setLabel}
          hint="You approve three times: make the new passkey, sign with it, and agree with one you have."
        />
        <div className="actions">
          <button type="submit" className="button" disabled={busy !== null}>
            {busy === 'addDevice' ? 'Waiting for your passkeys…' : 'Add it'}
          </button>
        </div>
      </form>
      {failed?.action === 'addDevice' && <WalletError error={failed.error} />}
    </details>
  )
}
