import { fromHex } from '@perigee/core'
import { encodeSignBinding, reportData } from '@perigee/core/binding'
import { parseSignTransactionRequest, type SignTransactionAnswer } from '@perigee/core/enclave'
import { checkTransaction } from './checkTransaction.js'
import { createSigner } from '../keys/createSigner.js'
import type { OperationDeps } from './OperationDeps.js'

/** The operation that signs transactions: check the transaction, sign the digest that follows from it, prove it. */
export function signTransactionOperation(deps: OperationDeps) {
  const { platform, policy } = deps
  const sign = createSigner(deps)
  return async function signTransaction(body: unknown): Promise<SignTransactionAnswer> {
    const request = parseSignTransactionRequest(body)
    const { digest } = request
    const { chainId } = checkTransaction(request.transaction, digest, policy)
    const { signature, bound } = await sign(request, { kind: 'transaction', chainId, digest, signedDigest: digest })
    const binding = encodeSignBinding({ ...bound, chainId, digest, signature })
    const evidence = await platform.quote(fromHex(reportData(binding)))
    const { publicKey, signedAt } = bound
    return { signature, publicKey, policy, signedAt, platform: platform.name, ...evidence }
  }
}
