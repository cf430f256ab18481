import { ServiceError, type ServiceErrorDetails } from '../errors/ServiceError.js'

const remedies = {
  aborted: 'Nothing to do: no passkey has signed.',
  authorisation_declined: 'Try again; to approve, use a device that has one of the wallet’s passkeys.',
  authorisation_expired: 'Try again, and answer the prompt within five minutes.',
  authorisation_required: 'Set config.authorisation to optional or required.',
  bad_response: 'Check that apiBaseUrl names the service.',
  owners_changed: 'Look at the wallet again, then repeat.',
  owners_invalid: 'Add another passkey first.',
  owners_uncertain: 'Refresh before you try again.',
  passkey_exists: 'Use another device: this one has a passkey of the wallet already.',
  passkey_unknown: 'Use the page and the device where one of the wallet’s passkeys was made.',
  passkey_unsupported: 'Use a browser with passkeys, over HTTPS.',
  recovery_code_invalid: 'Compare the code with what you wrote down.',
  wallet_exists:
    'Pass claim: true to add a passkey to it; an older copy of its key still opens without one. Or use another account.',
}

/** An error with this folder's advice, which is loaded on demand like its code. */
export class PasskeyError extends ServiceError {
  constructor(code: keyof typeof remedies, message: string, details: ServiceErrorDetails = {}) {
    super(code, message, { remedy: remedies[code], ...details })
  }
}

/**
 * What a browser's refusal means. To protect privacy, "no", "too late" and "no such passkey here" look the same to pages:
 * `declined` says what may have happened, and `remedy` what to do where there may be no passkey yet.
 */
export function toPasskeyError(cause: unknown, declined: string, remedy?: string): Error {
  const { name, message } = cause as Error
  if (cause instanceof PasskeyError) return cause
  if (name === 'NotAllowedError')
    return new PasskeyError('authorisation_declined', declined, { cause, ...(remedy && { remedy }) })
  if (name === 'AbortError') {
    return new PasskeyError('aborted', 'The prompt was stopped; nothing was signed.', { cause })
  }
  if (name === 'InvalidStateError') {
    return new PasskeyError('passkey_exists', 'This device already has a passkey of this wallet.', { cause })
  }
  return new PasskeyError('passkey_unsupported', `This browser cannot use a passkey here: ${message}`, { cause })
}
