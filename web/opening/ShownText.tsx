import { visibleText } from '@perigee/core/message'

/** Text of a stranger, every character of it: those that a page would not show are spelled out. */
export function ShownText({ text, label }: { text: string; label: string }) {
  const shown = visibleText(text, { keepLines: true })
  return (
    <>
      <h4>{label}</h4>
      {/* The keyboard must be able to scroll it. */}
      <pre className="opened" role="region" aria-label={label} tabIndex={0}>
        {shown === '' ? '(empty)' : shown}
      </pre>
      {shown !== text && <p className="fine">Characters that do not show by themselves are written as \u….</p>}
    </>
  )
}
