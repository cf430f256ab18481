import { ServiceError, type ServiceErrorDetails } from '../errors/ServiceError.js'

const remedies = {
  aborted: 'Nothing to do. If the request was on its way, the service may still sign; its receipt shows no content.',
  bad_response: 'Check that apiBaseUrl names the service.',
  chain_not_allowed: 'Use a chain this service signs for.',
  confirmation_declined: 'Nothing to do: nothing was signed.',
  message_invalid: 'Give a text, or { raw } with hex of whole bytes.',
  message_is_hash: 'Send the content that the hash stands for.',
  message_is_transaction: 'Use signAndSend for transactions.',
  message_scheme_unsupported: 'Use signMessage or signTypedData.',
  message_too_large: 'Sign at most 64 kB.',
  sign_in_account: 'Write this wallet’s address into the sign-in message.',
  sign_in_domain: 'Sign in on the page that the message names.',
  sign_in_malformed: 'Write the sign-in message exactly as EIP-4361 says, with the address in its EIP-55 spelling.',
  typed_data_domain: 'Give an EIP-712 domain. Leave EIP712Domain out, or make it match the domain exactly.',
  typed_data_invalid: 'Give types, primaryType, domain and message.',
  typed_data_member_missing: 'Give every member that the type lists.',
  typed_data_member_unknown: 'Remove the member, or add it to the type: what is not signed may not be shown.',
  typed_data_number: 'Write large integers as strings or bigints: JSON numbers are not exact.',
  typed_data_primary_type: 'Name the outermost type as primaryType.',
  typed_data_too_deep: 'Nest fewer types.',
  typed_data_type_invalid: 'Write types as Solidity does, with sizes (uint256, not uint).',
  typed_data_type_missing: 'Add the type that a member names.',
  typed_data_type_recursive: 'Remove the type that contains itself.',
  typed_data_type_unused: 'Remove types that are not part of what is signed.',
  typed_data_value: 'Give a value that fits its type.',
}

type MessageErrorCode = keyof typeof remedies

/** An error with this folder's advice, which is loaded on demand like its code. */
export class MessageError extends ServiceError {
  constructor(code: MessageErrorCode, message: string, details: ServiceErrorDetails = {}) {
    super(code, message, { ...details, remedy: remedies[code] })
  }
}

/** The service's refusal with this folder's advice, where there is any for its code. */
export function withRemedy(error: unknown): unknown {
  const known = error as ServiceError
  if (!Object.hasOwn(remedies, known.code)) return error
  return new MessageError(known.code as MessageErrorCode, known.message, { ...known, cause: error })
}

export function refuse(code: MessageErrorCode, message: string): never {
  throw new MessageError(code, message)
}
