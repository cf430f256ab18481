import { ServiceError } from '@perigee/sdk/proof'
import type { ReactNode } from 'react'
import { Note } from './Note.js'

/** What went wrong and what to do about it. */
export function ErrorNote({ error, children }: { error: unknown; children?: ReactNode }) {
  const known = error instanceof ServiceError ? error : null
  return (
    <Note tone="bad" role="alert" title={messageOf(error)}>
      {known && <p>{known.remedy}</p>}
      {children}
      {known && (
        <p className="fine">
          Code <code>{known.code}</code>
          {known.requestId && ' · request '}
          {known.requestId && <code>{known.requestId}</code>}
        </p>
      )}
    </Note>
  )
}

function messageOf(error: unknown): string {
  if (error instanceof ServiceError && error.message === error.code) return 'The wallet is not ready yet.'
  return error instanceof Error ? error.message : String(error)
}
