import { isErrorCode, ServiceError, type Facts } from '@perigee/core'

/** The enclave's own refusal, with its code. A code we do not know becomes `enclave_refused`. */
export function enclaveError(answer: unknown): ServiceError {
  const { code, message, facts } = (answer ?? {}) as { code?: unknown; message?: unknown; facts?: unknown }
  if (!isErrorCode(code)) return new ServiceError('enclave_refused', 'the enclave refused without a known code')
  return new ServiceError(code, typeof message === 'string' ? message : code, publicFacts(facts))
}

function publicFacts(facts: unknown): Facts {
  const entries = Object.entries((typeof facts === 'object' && facts) || {})
  return Object.fromEntries(entries.filter(([, value]) => value === null || typeof value !== 'object'))
}

/** TLS alerts that refuse our certificate (RFC 8446, 6.2). */
const refusedCertificate = /ALERT_(?:CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|CERTIFICATE_UNKNOWN)/

/** A channel that failed: no answer, or our certificate refused. */
export function channelError(cause: unknown): ServiceError {
  const code = String((cause as NodeJS.ErrnoException)?.code ?? '')
  if (refusedCertificate.test(code)) {
    return new ServiceError('client_not_authenticated', 'the enclave does not accept our certificate', {}, cause)
  }
  return new ServiceError('enclave_unreachable', 'no answer from the enclave; whether it signed is unknown, and a retry is safe', { reason: code }, cause) // prettier-ignore
}
