import { useEffect, useState } from 'react'

/** Copies text and says so, without changing its own width. */
export function CopyButton({ text, what, label }: { text: string; what: string; label?: string }) {
  const [copied, setCopied] = useState<boolean | null>(null)
  useEffect(() => {
    if (copied === null) return
    const timer = setTimeout(() => setCopied(null), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  }
  return (
    <button type="button" className={label ? 'button quiet' : 'copy'} onClick={copy}>
      {label ?? <CopyIcon done={copied === true} />}
      <span className={label ? 'copy-state' : 'visually-hidden'} aria-live="polite">
        {copied === null ? (label ? '' : `Copy ${what}`) : copied ? 'Copied' : 'Could not copy'}
      </span>
    </button>
  )
}

function CopyIcon({ done }: { done: boolean }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      {done ? <path d="M3 8.5l3.2 3L13 4.5" /> : <path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z" />}
    </svg>
  )
}
