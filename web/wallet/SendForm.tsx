import { useSign, type SignProgress } from '@perigee/sdk'
import { useState, type FormEvent } from 'react'
import { WalletError } from '../components/WalletError.js'
import { checkSend, type SendErrors } from './checkSend.js'
import { Field } from '../components/Field.js'
import type { SentTransaction } from './history.js'

const words: Record<SignProgress['step'], string> = {
  preparing: 'Reading nonce and fees…',
  authorising: 'Waiting for your passkey…',
  signing: 'The enclave is signing…',
  broadcasting: 'Sending to the chain…',
  sent: 'Sent.',
}

export function SendForm({ onSent, balance }: { onSent: (sent: SentTransaction) => void; balance: bigint | null }) {
  const { signAndSend, pending, error } = useSign()
  const [form, setForm] = useState({ to: '', amount: '', data: '' })
  const [errors, setErrors] = useState<SendErrors>({})
  const [step, setStep] = useState<SignProgress['step'] | null>(null)
  const field = (name: keyof typeof form) => ({
    id: `send-${name}`,
    value: form[name],
    error: errors[name],
    onChange: (value: string) => {
      setForm((old) => ({ ...old, [name]: value }))
      setErrors((old) => ({ ...old, [name]: undefined }))
    },
  })

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const checked = checkSend(form, balance)
    setErrors(checked.errors)
    if (!checked.request) {
      const first = (['to', 'amount', 'data'] as const).find((name) => checked.errors[name])
      const input = document.getElementById(`send-${first}`)
      input?.closest('details')?.setAttribute('open', '') // closed, it would hide what is wrong
      input?.focus()
      return
    }
    const { request, wei } = checked
    try {
      const result = await signAndSend(request, { onProgress: ({ step }) => setStep(step) })
      const { txHash, attestationSlug: slug } = result
      setForm({ to: '', amount: '', data: '' })
      onSent({ slug, txHash, to: request.to, wei: String(wei), at: new Date().toISOString() })
    } catch {
      // Shown below from the hook's own `error`.
    } finally {
      setStep(null)
    }
  }

  return (
    <section className="card" aria-labelledby="send-title">
      <h2 id="send-title">Send</h2>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Field {...field('to')} label="To" placeholder="0x…" mono />
        <Field {...field('amount')} label="Amount in ETH" placeholder="0.01" inputMode="decimal" />
        <details>
          <summary>Data for a contract</summary>
          <Field {...field('data')} label="Data" placeholder="0x" hint="Gas is then estimated." mono />
        </details>
        <div className="actions">
          <button type="submit" className="button primary" disabled={pending}>
            {pending ? 'Sending…' : 'Sign and send'}
          </button>
          <span className="fine" role="status">
            {pending && step && words[step]}
          </span>
        </div>
      </form>
      {error && <WalletError error={error}>{proofLink(error.facts.attestationSlug)}</WalletError>}
    </section>
  )
}

/** A transaction that was signed but did not reach the chain has a receipt too. */
function proofLink(slug: unknown) {
  if (typeof slug !== 'string') return null
  return (
    <p>
      The signature was made and has <a href={`/p/${slug}`}>its proof</a>.
    </p>
  )
}
