import { parseTxMetadata, ServiceError, verifyDigest, type Hex, type TxMetadata } from '@perigee/core'
import { encodeSignBinding } from '@perigee/core/binding'
import { parseSignTransactionRequest, type SignTransactionAnswer } from '@perigee/core/enclave'
import { checkSigningPolicy, type SigningPolicy } from '@perigee/core/policy'
import { createSigner } from '../keys/createSigner.js'
import type { OperationDeps } from './OperationDeps.js'

/** Fields of other transaction types. An EIP-7702 authorisation would hand over the whole account. */
const foreignFields = [
  'accessList',
  'authorizationList',
  'blobVersionedHashes',
  'blobs',
  'gasPrice',
  'maxFeePerBlobGas',
]

/** The operation that signs transactions: check the transaction, sign the digest that follows from it, prove it. */
export function signTransactionOperation(deps: OperationDeps) {
  const sign = createSigner(deps)
  return async function signTransaction(body: unknown): Promise<SignTransactionAnswer> {
    const request = parseSignTransactionRequest(body)
    const { digest } = request
    const { chainId } = checkTransaction(request.transaction, digest, deps.policy)
    const asked = { kind: 'transaction', chainId, digest, signedDigest: digest } as const
    return sign(request, asked, (bound, signature) => encodeSignBinding({ ...bound, chainId, digest, signature }))
  }
}

/** Parses a transaction and refuses any that the policy does not allow, or whose digest is not the one asked for. */
function checkTransaction(input: Record<string, unknown>, digest: Hex, policy: SigningPolicy): TxMetadata {
  const { type = 'eip1559', ...fields } = input
  if (type !== 'eip1559' || foreignFields.some((field) => field in fields)) {
    throw new ServiceError('transaction_type_unsupported', 'only EIP-1559 transactions are signed')
  }
  const tx = parseTxMetadata(fields)
  verifyDigest(tx, digest) // we sign the digest we computed; the caller's only has to match
  checkSigningPolicy(tx, policy)
  return tx
}
