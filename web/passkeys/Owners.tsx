import { useService, type WalletOwners } from '@perigee/sdk'
import { WalletError } from '../components/WalletError.js'
import { Note } from '../components/Note.js'
import { AddDevice } from './AddDevice.js'
import { Claim } from './Claim.js'
import { Device } from './Device.js'
import { Recover } from './Recover.js'
import type { PasskeyActions } from './usePasskeyActions.js'

/** Who can approve for this wallet: its passkeys, its recovery code, and what would be lost with them. */
export function Owners({ actions }: { actions: PasskeyActions }) {
  const { owners } = useService()
  return (
    <section className="card" aria-labelledby="owners-title" aria-busy={!owners || actions.busy !== null}>
      <div className="spread">
        <h2 id="owners-title">Who can approve</h2>
        {owners && <span className={`chip ${chip(owners).tone}`}>{chip(owners).words}</span>}
      </div>
      {!owners && <Waiting />}
      {owners && !owners.owners && <Claim actions={actions} />}
      {owners?.owners && <Owned wallet={owners} actions={actions} />}
    </section>
  )
}

function Owned({ wallet, actions }: { wallet: WalletOwners; actions: PasskeyActions }) {
  const { addRecovery } = useService()
  const { busy, failed, run } = actions
  const { credentials, owners, since } = wallet
  const recovery = owners?.recovery !== null
  const alone = credentials.length === 1 && !recovery
  return (
    <>
      {since === 'upgrade' && (
        <Note tone="warn" role="note" title="This wallet got its passkey later." text={upgraded} />
      )}
      {alone && (
        <Note
          tone="warn"
          role="note"
          title="One lost device would lose this wallet."
          text="It has one passkey and no recovery code. Make a code or add a device now: once it is lost, nobody can open the wallet, not even us."
        />
      )}
      <ul className="list ruled history">
        {credentials.map((device) => (
          <Device
            key={device.publicKey}
            device={device}
            last={credentials.length === 1}
            leavesOne={credentials.length === 2 && !recovery}
            actions={actions}
          />
        ))}
      </ul>
      <div className="actions">
        <button
          type="button"
          className={alone ? 'button primary' : 'button'}
          disabled={busy !== null}
          onClick={() => void run('addRecovery', () => addRecovery())}
        >
          {recovery ? 'Replace the recovery code' : 'Make a recovery code'}
        </button>
        <span className="fine" role="status">
          {busy === 'addRecovery' ? 'Waiting for your passkey…' : recovery && 'The wallet has a recovery code.'}
        </span>
      </div>
      {failed?.action === 'addRecovery' && <WalletError error={failed.error} />}
      <AddDevice actions={actions} />
      {recovery && <Recover actions={actions} />}
    </>
  )
}

/** Why an upgraded wallet is weaker, where its owner sees it. */
const upgraded =
  'An older sealed copy of its key exists that opens without one, and the operator could still use it; receipts of this wallet say so. For full protection sign in with another account, make a wallet with a passkey there, and move your funds.'

/** Grey bars of the height that a list of one device has. */
function Waiting() {
  return (
    <>
      <p className="loading" role="status">
        Looking up the passkeys…
      </p>
      <span className="skeleton" aria-hidden="true" />
      <span className="skeleton" aria-hidden="true" />
    </>
  )
}

function chip({ owners, since }: WalletOwners): { words: string; tone: string } {
  if (!owners) return { words: 'sign-in only', tone: '' }
  return since === 'upgrade'
    ? { words: 'passkey, added later', tone: 'busy' }
    : { words: 'passkey needed', tone: 'good' }
}
