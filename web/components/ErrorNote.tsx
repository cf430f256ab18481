import { ServiceError } from '@perigee/sdk/proof'
import type { ReactNode } from 'react'
import { wordsOf } from '../format/wordsOf.js'
import { Note } from './Note.js'

interface ErrorNoteProps {
  error: unknown
  /** Instead of the error's own words, where the page knows better ones. */
  title?: string | undefined
  remedy?: string | undefined
  children?: ReactNode
}

/** What went wrong and what to do about it. */
export function ErrorNote({ error, title, remedy, children }: ErrorNoteProps) {
  const known = error instanceof ServiceError ? error : null
  return (
    <Note tone="bad" role="alert" title={title ?? titleOf(error)}>
      {known && <p>{remedy ?? known.remedy}</p>}
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

function titleOf(error: unknown): string {
  if (error instanceof ServiceError && error.message === error.code) return 'The wallet is not ready yet.'
  return wordsOf(error)
}
