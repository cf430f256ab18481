import { useService } from '@perigee/sdk'
import { useState, type FormEvent } from 'react'
import { WalletError } from '../components/WalletError.js'
import { Field } from '../components/Field.js'
import { deviceName } from './deviceName.js'
import type { PasskeyActions } from './usePasskeyActions.js'

/** For somebody whose passkeys are gone: the code names a new one in their place. */
export function Recover({ actions: { busy, failed, run } }: { actions: PasskeyActions }) {
  const { recover } = useService()
  const [code, setCode] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (await run('recover', () => recover(code, { label: deviceName() }))) setCode('')
  }
  return (
    <details open={busy === 'recover' || failed?.action === 'recover' || undefined}>
      <summary>Lost your passkeys?</summary>
      <form onSubmit={(event) => void submit(event)}>
        <Field
          id="recovery-code"
          label="Recovery code"
          placeholder="XXXX-XXXX-XXXX-XXXX-XXXX-XXXX-XXX"
          value={code}
          onChange={setCode}
          hint="A passkey of this device takes the place of all others, and you get a new code."
          mono
        />
        <div className="actions">
          <button type="submit" className="button" disabled={busy !== null || code.trim() === ''}>
            {busy === 'recover' ? 'Waiting for your passkey…' : 'Recover the wallet'}
          </button>
        </div>
      </form>
      {failed?.action === 'recover' && <WalletError error={failed.error} />}
    </details>
  )
}
