import { createHmac } from 'node:crypto'

const prefix = 'whsec_'

/** The bytes of a secret as Standard Webhooks writes it: `whsec_` and 24 to 64 bytes in base64. Null for anything else. */
export function parseSecret(text: string): Buffer | null {
  if (!text.startsWith(prefix)) return null
  const encoded = text.slice(prefix.length)
  const bytes = Buffer.from(encoded, 'base64')
  return bytes.toString('base64') === encoded && bytes.length >= 24 && bytes.length <= 64 ? bytes : null
}

export interface SignedMessage {
  id: string
  /** Of the attempt, in seconds since 1970. */
  timestamp: number
  body: string
}

/**
 * The headers of one attempt, as Standard Webhooks 1.0 defines them: HMAC-SHA256 over `id.timestamp.body`, one signature
 * for each secret, so that a receiver that knows only the old or only the new one can verify.
 */
export function signWebhook(
  { id, timestamp, body }: SignedMessage,
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = parseSecret(secret)
    if (!key) throw new Error('not a webhook secret')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
