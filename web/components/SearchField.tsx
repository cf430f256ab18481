import { useState, type FormEvent } from 'react'
import { pathFor } from '../format/pathFor.js'

/** One field for everything a proof can be found by. It only chooses a page; it asks the service nothing. */
export function SearchField({ label = 'Look up a proof' }: { label?: string }) {
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState(false)
  const open = (event: FormEvent) => {
    event.preventDefault()
    const path = pathFor(text)
    if (path === null) return setWrong(true)
    window.location.assign(path)
  }
  return (
    <form className="card row" role="search" onSubmit={open}>
      <label htmlFor="search">{label}</label>
      <input
        id="search"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setWrong(false)
        }}
        placeholder="Link or name, CID, transaction, wallet"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-invalid={wrong}
        aria-describedby="search-hint"
      />
      <button type="submit" className="button">
        Open
      </button>
      <p id="search-hint" className={wrong ? 'field-error' : 'fine'} role={wrong ? 'alert' : undefined}>
        {wrong
          ? 'Not recognised. A transaction hash or message commitment is 0x and 64 hex digits, a wallet 0x and 40; a CID begins with baf.'
          : 'A link somebody sent you, the name after /p/, a CID, a transaction hash, a message’s commitment or a wallet address.'}
      </p>
    </form>
  )
}
