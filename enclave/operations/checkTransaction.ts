import { parseTxMetadata, ServiceError, verifyDigest, type Hex, type TxMetadata } from '@perigee/core'
import { checkSigningPolicy, type SigningPolicy } from '@perigee/core/policy'

/** Fields of other transaction types. An EIP-7702 authorisation would hand over the whole account. */
const foreignFields = [
  'accessList',
  'authorizationList',
  'blobVersionedHashes',
  'blobs',
  'gasPrice',
  'maxFeePerBlobGas',
]

/** Parses a transaction and refuses any that the policy does not allow, or whose digest is not the one asked for. */
export function checkTransaction(input: Record<string, unknown>, digest: Hex, policy: SigningPolicy): TxMetadata {
  const { type = 'eip1559', ...fields } = input
  if (type !== 'eip1559' || foreignFields.some((field) => field in fields)) {
    throw new ServiceError('transaction_type_unsupported', 'only EIP-1559 transactions are signed')
  }
  const tx = parseTxMetadata(fields)
  verifyDigest(tx, digest) // we sign the digest we computed; the caller's only has to match
  checkSigningPolicy(tx, policy)
  return tx
}
