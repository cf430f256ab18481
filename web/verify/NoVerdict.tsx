import { Note } from '../components/Note.js'
import { wordsOf } from '../format/wordsOf.js'

/** A check that ended before its verdict: other bytes, a false answer of the service, or a source that is down. */
export function NoVerdict({ error }: { error: unknown }) {
  const { title, why, what } = wordsFor(error)
  return (
    <Note tone="bad" role="alert" title={title} text={why}>
      <p>{what} Try again, or use the command below with another gateway.</p>
    </Note>
  )
}

function wordsFor(error: unknown): { title: string; why: string; what: string } {
  const { code } = Object(error) as { code?: string }
  if (code === 'cid_mismatch') {
    return {
      title: 'Not this receipt: the bytes were changed.',
      why: 'They do not hash to this CID.',
      what: 'Do not rely on what the gateway sent; another one may have the true bytes.',
    }
  }
  if (code === 'claim_mismatch') {
    return {
      title: 'Not verified: the service’s answer is false.',
      why: wordsOf(error),
      what: 'What this page shows is not what the public receipt says. Do not rely on this page.',
    }
  }
  return {
    title: 'The check could not be made.',
    why: wordsOf(error),
    what: 'That says nothing about the receipt.',
  }
}
