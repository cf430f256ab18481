import { wordsOf } from '../components/wordsOf.js'

/** What could not be read, why, and a way out. */
export function Failure({ what, error, again }: { what: string; error: unknown; again: () => void }) {
  return (
    <div className="note note-bad" role="alert">
      <p>
        <strong>{what}</strong> {wordsOf(error)}
      </p>
      <p>That says nothing about the receipts themselves.</p>
      <button type="button" className="button quiet" onClick={again}>
        Try again
      </button>
    </div>
  )
}
