import type { SignDigestInput } from '@perigee/core/workflow'
import { sampleReceiptInput } from '../../core/receipt/testing/sampleReceiptInput.js'

/** The part of a request to sign that no one looks at where the records have the signature already, or nothing signs. */
export function uncheckedRequest(): Pick<SignDigestInput, 'coordinator' | 'statement' | 'approval' | 'expiresAtMs'> {
  const { coordinator, authorisation } = sampleReceiptInput()
  return {
    coordinator: { ...coordinator, kind: 'sev-snp', reportHash: `0x${'00'.repeat(32)}` },
    statement: authorisation.statement,
    approval: null,
    expiresAtMs: Date.now() + 60_000,
  }
}
