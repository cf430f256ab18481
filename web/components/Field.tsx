interface FieldProps {
  id: string
  label: string
  value: string
  onChange: (value: string) => void
  placeholder?: string
  hint?: string
  error?: string | undefined
  inputMode?: 'decimal'
  mono?: boolean
}

/** A labelled input. The line under it is always there, so an error does not move what follows. */
export function Field({ id, label, value, onChange, placeholder, hint, error, inputMode, mono }: FieldProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        placeholder={placeholder}
        inputMode={inputMode}
        autoComplete="off"
        spellCheck={false}
        className={mono ? 'mono' : undefined}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-hint`}
      />
      <p id={`${id}-hint`} className={error ? 'field-error' : 'fine'}>
        {error ?? hint ?? '\u00a0'}
      </p>
    </div>
  )
}
