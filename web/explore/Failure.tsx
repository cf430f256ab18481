import { Note } from '../components/Note.js'
import { wordsOf } from '../format/wordsOf.js'

/** What could not be read, why, and a way out. */
export function Failure({ what, error, again }: { what: string; error: unknown; again: () => void }) {
  return (
    <Note tone="bad" role="alert" title={what} text={wordsOf(error)}>
      <p>That says nothing about the receipts themselves.</p>
      <button type="button" className="button quiet" onClick={again}>
        Try again
      </button>
    </Note>
  )
}
