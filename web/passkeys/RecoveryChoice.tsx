import { Note } from '../components/Note.js'

/** Asks whether to make a recovery code, and says what can happen without one. */
export function RecoveryChoice({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <>
      <label className="check">
        <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
        <span>Make a recovery code too, in case this device is lost</span>
      </label>
      {!checked && (
        <Note
          tone="warn"
          role="note"
          title="Without a code, this passkey is the only way in."
          text="If you lose it before you add a second device, the wallet and everything in it are gone. Nobody can get them back, not even us."
        />
      )}
    </>
  )
}
