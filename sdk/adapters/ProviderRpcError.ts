import type { ServiceError } from '../errors/ServiceError.js'

/** The error of EIP-1193: numeric codes that wallets and applications agree on. `cause` is the ServiceError, if any. */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError'
  constructor(
    readonly code: number,
    message: string,
    cause?: unknown,
    /** What the node added, for example what a contract reverted with. */
    readonly data?: unknown,
  ) {
    super(message, { cause })
  }
}

const codes: [RegExp, number][] = [
  [/_declined$/, 4001],
  [/^(not_signed_in|account_changed|authorisation_required|sign_in_domain|sign_in_account)$/, 4100],
  [/^(network_error|timeout|HttpRequestError|TimeoutError)$/, 4900],
  [/^chain_not_allowed$/, 4901],
  [/^(transaction_invalid|(message|typed_data|sign_in)_\w+)$/, -32602],
  [/^wallet_not_(found|ready)$/, -32002],
  [/^(rate_limited|share_exceeded)$/, -32005],
]

/** Anything thrown, as an error of EIP-1193 and JSON-RPC. A node's own refusal keeps its number. */
export function toProviderError(error: unknown): ProviderRpcError {
  if (error instanceof ProviderRpcError) return error
  // viem's own `message` is a long report. `details` is the node's sentence, which libraries search for "revert".
  const { code, message, shortMessage, details } = error as Omit<ServiceError, 'code'> & Record<string, unknown>
  const own = typeof code === 'number' && code !== -1 ? code : -32603
  return new ProviderRpcError(codeOf(error) ?? own, String(details || shortMessage || message), error, dataOf(error))
}

/** The first known code along the chain of causes: an `rpc_error` may have an unreachable node behind it. */
function codeOf(error: unknown): number | undefined {
  const { code, name, cause } = Object(error) as { code?: unknown; name?: string; cause?: unknown }
  const known = codes.find(([pattern]) => pattern.test(typeof code === 'string' ? code : String(name)))
  return known?.[1] ?? (cause === undefined ? undefined : codeOf(cause))
}

/** The first `data` along the chain of causes. */
function dataOf(error: unknown): unknown {
  const { data, cause } = Object(error) as { data?: unknown; cause?: unknown }
  return data ?? (cause && dataOf(cause))
}
