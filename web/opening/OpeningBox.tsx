import type { MessageReceiptV1 } from '@perigee/core/receipt'
import type { OpenedMessage } from '@perigee/core/receipt/verify'
import { lazy, Suspense, useId, useRef, useState, type FormEvent } from 'react'
import { Note } from '../components/Note.js'
import { wordsOf } from '../format/wordsOf.js'
import type { ShownProof } from '../proof/ShownProof.js'

/** Comes with the verifier's code, which is loaded only when asked for. */
const OpenedContent = lazy(async () => ({ default: (await import('./OpenedContent.js')).OpenedContent }))

type Outcome =
  | { state: 'idle' | 'checking' | 'unverified' }
  | { state: 'refused'; code: string; why: string }
  | { state: 'opened'; message: OpenedMessage; against: ShownProof }

interface OpeningBoxProps {
  /** The receipt as this browser verified it; null before. */
  verified: ShownProof | null
  /** Verifies the receipt first, where that has not been done. */
  verify(): Promise<ShownProof | null>
}

/**
 * Where a visitor pastes the opening of a message receipt. The text stays in its field: it is read once for each check, in
 * this browser, and goes into no request, no storage and no address.
 */
export function OpeningBox({ verified, verify }: OpeningBoxProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [outcome, setOutcome] = useState<Outcome>({ state: 'idle' })
  const check = async (event: FormEvent) => {
    event.preventDefault()
    setOutcome({ state: 'checking' })
    const against = verified ?? (await verify())
    setOutcome(against ? await openedWith(against, field.current?.value ?? '') : { state: 'unverified' })
  }
  const forget = () => {
    if (field.current) field.current.value = ''
    setOutcome({ state: 'idle' })
  }
  const isRefused = outcome.state === 'refused'
  return (
    <section aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>Open the message</h3>
      <form className="opening" onSubmit={(event) => void check(event)}>
        <label htmlFor={id}>The opening that the signer gave you (JSON)</label>
        <textarea
          id={id}
          ref={field}
          rows={6}
          className="mono"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-invalid={isRefused}
          aria-describedby={`${id}-hint`}
          onChange={() => setOutcome({ state: 'idle' })}
        />
        <p id={`${id}-hint`} className="fine">
          It is checked in this page and never sent or stored. Treat it as a secret: it holds a signature that may still
          be usable.
        </p>
        <div className="actions">
          <button type="submit" className="button primary" disabled={outcome.state === 'checking'}>
            {outcome.state === 'checking' ? 'Checking…' : 'Check and show'}
          </button>
          <button type="button" className="button quiet" onClick={forget}>
            Forget it
          </button>
        </div>
      </form>
      {isRefused && (
        <Note tone="bad" role="alert" title="This opening does not fit." text={outcome.why}>
          <p>The receipt itself is not in doubt: only what this text says about it.</p>
          <p className="fine">
            Code <code>{outcome.code}</code>
          </p>
        </Note>
      )}
      {outcome.state === 'unverified' && (
        <Note
          tone="bad"
          role="alert"
          title="Not opened."
          text="The receipt could not be verified, so nothing can be said about its message. See the checks."
        />
      )}
      {outcome.state === 'opened' && outcome.against === verified && (
        <Suspense>
          <OpenedContent message={outcome.message} />
        </Suspense>
      )}
    </section>
  )
}

async function openedWith(against: ShownProof, text: string): Promise<Outcome> {
  try {
    const { verifyOpening } = await import('../verify/runVerification.js')
    const message = await verifyOpening(against.receipt as MessageReceiptV1, text)
    return { state: 'opened', message, against }
  } catch (error) {
    const { code = 'internal_error' } = Object(error) as { code?: string }
    return { state: 'refused', code, why: wordsOf(error) }
  }
}
