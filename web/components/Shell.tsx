import { useEffect, type ReactNode } from 'react'
import { Loading } from './Loading.js'

interface ShellProps {
  title?: string
  children?: ReactNode
  /** Beside the links of the header. */
  aside?: ReactNode
  busy?: boolean
}

/** Header and frame of every page. While `busy`, bars stand for the content. */
export function Shell({ title, children, aside, busy = false }: ShellProps) {
  useEffect(() => {
    if (title) document.title = `${title} · Perigee`
  }, [title])
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="top">
        <a className="brand" href="/">
          <svg viewBox="0 0 32 32" width="28" height="28" fill="none" aria-hidden="true">
            <ellipse
              cx="16"
              cy="16"
              rx="14"
              ry="8"
              stroke="currentColor"
              strokeWidth="2.5"
              transform="rotate(-25 16 16)"
            />
            <circle cx="18.5" cy="15" r="4.5" fill="currentColor" />
          </svg>
          Perigee
        </a>
        <div className="top-aside">
          <a href="/explore">Explorer</a>
          {aside}
        </div>
      </header>
      <main id="content" tabIndex={-1} aria-busy={busy}>
        {busy && <h1 className="visually-hidden">Perigee</h1>}
        {busy ? <Loading /> : children}
      </main>
    </>
  )
}
