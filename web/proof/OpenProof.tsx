import { useState, type FormEvent } from 'react'

/** Opens a proof by its link or its name. */
export function OpenProof() {
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState(false)
  const open = (event: FormEvent) => {
    event.preventDefault()
    const slug = text.trim().split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1)
    if (slug === undefined) return setWrong(true)
    window.location.assign(`/p/${encodeURIComponent(slug)}`)
  }
  return (
    <form className="card row" onSubmit={open}>
      <label htmlFor="open-proof">Somebody sent you a proof?</label>
      <input
        id="open-proof"
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder="Paste its link or name"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={wrong}
        aria-describedby={wrong ? 'open-proof-wrong' : undefined}
      />
      <button type="submit" className="button">
        Open
      </button>
      {wrong && (
        <p id="open-proof-wrong" className="field-error">
          Paste a link such as https://…/p/3f9c… or the part after /p/.
        </p>
      )}
    </form>
  )
}
