import { CopyButton } from './CopyButton.js'

/** A long value, shortened in the middle for reading, whole for copying and for screen readers. */
export function Hash({ value, what, whole = false }: { value: string; what: string; whole?: boolean }) {
  const short = whole || value.length <= 22 ? value : `${value.slice(0, 10)}…${value.slice(-8)}`
  return (
    <span className="hash">
      <code title={value}>{short}</code>
      <CopyButton text={value} what={what} />
    </span>
  )
}
