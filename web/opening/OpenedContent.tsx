import type { SignIn } from '@perigee/core/message'
import type { OpenedMessage } from '@perigee/core/receipt/verify'
import { Facts } from '../components/Facts.js'
import { Hash } from '../components/Hash.js'
import { Note } from '../components/Note.js'
import { ShownText } from './ShownText.js'
import { TypedDataTree } from './TypedDataTree.js'

/** What was signed, and by whom. Shown only after the opening was checked against a verified receipt. */
export function OpenedContent({ message: { opening, parsed } }: { message: OpenedMessage }) {
  const { message, signature } = opening
  const { text, signIn } = parsed
  return (
    <section aria-label="What was signed">
      <Note
        tone="good"
        title="Checked by your browser."
        text="The wallet of this receipt signed exactly this, and the receipt cannot be about anything else."
      />
      {signIn && <Facts facts={signInFacts(signIn)} />}
      {message.scheme === 'eip712' ? (
        <TypedDataTree data={message.typedData} />
      ) : (
        <ShownText
          text={text ?? message.message}
          label={
            signIn ? 'The sign-in message, word for word' : text === null ? 'The message, as bytes' : 'The message'
          }
        />
      )}
      <Facts
        facts={[
          ['Signature', <Hash value={signature} what="the signature" />],
          ['Signed digest', <Hash value={parsed.digest} what="the digest" />],
        ]}
      />
    </section>
  )
}

/** Every member of the message, in its order. */
function signInFacts(signIn: SignIn): [string, string][] {
  const facts: [string, string | null][] = [
    ['Signs in to', signIn.scheme ? `${signIn.scheme}://${signIn.domain}` : signIn.domain],
    ['As', signIn.address],
    ['Statement', signIn.statement],
    ['Page', signIn.uri],
    ['Chain', signIn.chainId],
    ['Nonce', signIn.nonce],
    ['Issued', signIn.issuedAt],
    ['Expires', signIn.expirationTime ?? 'never'],
    ['Not before', signIn.notBefore],
    ['Request', signIn.requestId],
    ['Resources', signIn.resources.join('\n') || null],
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== null)
}
