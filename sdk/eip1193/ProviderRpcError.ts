/** The error of EIP-1193: numeric codes that wallets and applications agree on. `cause` is the ServiceError, if any. */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError'
  constructor(
    readonly code: number,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause })
  }
}
