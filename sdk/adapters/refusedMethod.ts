import { ProviderRpcError } from './ProviderRpcError.js'

const reasons: [RegExp, string][] = [
  [/^eth_sign$/, 'nobody can see what a hash stands for. Use personal_sign.'],
  [/^eth_signTypedData/, 'only version 4 names all that it signs. Use eth_signTypedData_v4.'],
  [/^(?:eth_signTransaction|eth_sendRawTransaction|wallet_send\w+)$/, 'use eth_sendTransaction.'],
  [/^eth_(?:getEncryptionPublicKey|decrypt)$/, 'the key in the enclave only signs.'],
  [/^(?:eth_sign|personal_|wallet_)/, 'this wallet does not implement it.'],
]

/** Why this wallet refuses a method; null for all others, which go to the chain. */
export function refusedMethod(method: string): ProviderRpcError | null {
  const reason = reasons.find(([pattern]) => pattern.test(method))?.[1]
  if (reason === undefined) return null
  // viem tries this method after a -32602 of eth_sendTransaction, and shows the first error only if this one is unknown.
  const code = method === 'wallet_sendTransaction' ? -32601 : 4200
  return new ProviderRpcError(code, `${method} is not supported: ${reason}`)
}
