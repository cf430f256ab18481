import { useEffect, useRef, useState } from 'react'
import { CopyButton } from '../components/CopyButton.js'

/** Shows a recovery code, once. The page moves on only when the person says that it is stored. */
export function RecoveryCode({ code, onStored }: { code: string; onStored: () => void }) {
  const [stored, setStored] = useState(false)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <section className="card" aria-labelledby="code-title">
      <h1 id="code-title" ref={title} tabIndex={-1}>
        Write down your recovery code
      </h1>
      <div className="note warn" role="note">
        <p>
          <strong>This is the only time you see it.</strong> It is stored nowhere: not here, not at the service. If all
          your passkeys are lost, it is the only way to this wallet. Anyone who has it and your sign-in can take the
          wallet over.
        </p>
      </div>
      <p className="recovery-code" aria-label="Recovery code">
        {code.split('-').map((group, index) => (
          <code key={index}>{group}</code>
        ))}
      </p>
      <div className="actions">
        <CopyButton text={code} what="the recovery code" label="Copy the code" />
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
