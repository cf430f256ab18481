import { ServiceError } from './ServiceError.js'

/** Thrown when there is no wallet to sign with. The message is the code: applications match on it. */
export function walletNotReady(): ServiceError {
  return new ServiceError('wallet_not_ready', 'wallet_not_ready')
}
