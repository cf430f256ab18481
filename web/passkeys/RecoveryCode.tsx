import { useEffect, useRef, useState } from 'react'
import { CopyButton } from '../components/CopyButton.js'
import type { NewCode } from './usePasskeyActions.js'

/** Shows a recovery code, once. The page moves on only when the person says that it is stored. */
export function RecoveryCode({ code, onStored }: { code: NewCode; onStored: () => void }) {
  const [stored, setStored] = useState(false)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <section className="card" aria-labelledby="code-title">
      <h1 id="code-title" ref={title} tabIndex={-1}>
        Write down your recovery code
      </h1>
      <div className="note warn" role="note">
        {!code.isCertain && (
          <p>
            <strong>This code may not be valid yet, or at all.</strong> The service did not say whether it stored your
            change; it may still do so. Keep this code, and the one you had before if you had one: one of them works.
            Make a new code once the service answers again.
          </p>
        )}
        <p>
          <strong>This is the only time you see it.</strong> It is stored nowhere: not here, not at the service. If all
          your passkeys are lost, it is the only way to this wallet. Anyone who has it and your sign-in can take the
          wallet over.
        </p>
      </div>
      <p className="recovery-code" aria-label="Recovery code">
        {code.text.split('-').map((group, index) => (
          <code key={index}>{group}</code>
        ))}
      </p>
      <div className="actions">
        <CopyButton text={code.text} what="the recovery code" label="Copy the code" />
      </div>
      <p className="fine">
        Keep it on paper or in a password manager. The last character checks the others, so a slip is noticed when you
        type it. It works once, and you then get a new one.
      </p>
      <label className="check">
        <input type="checkbox" checked={stored} onChange={(event) => setStored(event.target.checked)} />
        <span>I have stored the code where I will find it without this device</span>
      </label>
      <div className="actions">
        <button type="button" className="button primary" disabled={!stored} onClick={onStored}>
          Continue
        </button>
      </div>
    </section>
  )
}
