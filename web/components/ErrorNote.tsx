import { ServiceError } from '@perigee/sdk/proof'
import type { ReactNode } from 'react'

/** What went wrong and what to do about it. */
export function ErrorNote({ error, children }: { error: unknown; children?: ReactNode }) {
  const known = error instanceof ServiceError ? error : null
  return (
    <div className="note note-bad" role="alert">
      <p>
        <strong>{messageOf(error)}</strong>
      </p>
      {known && <p>{known.remedy}</p>}
      {children}
      {known && (
        <p className="fine">
          Code <code>{known.code}</code>
          {known.requestId && (
            <>
              {' '}
              · request <code>{known.requestId}</code>
            </>
          )}
        </p>
      )}
    </div>
  )
}

function messageOf(error: unknown): string {
  if (error instanceof ServiceError && error.message === error.code) return 'The wallet is not ready yet.'
  return error instanceof Error ? error.message : String(error)
}
