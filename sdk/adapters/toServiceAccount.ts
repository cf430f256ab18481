import { hashMessage, hashTypedData, type LocalAccount, type TransactionSerializable } from 'viem'
import { toAccount } from 'viem/accounts'
import { digestOf, serialize, toMetadata } from '../client/signing/buildTransaction.js'
import { requireSigner } from '../client/signing/requireSigner.js'
import { tell } from '../client/signing/tell.js'
import type { ServiceClient } from '../client/ServiceClient.js'
import { ServiceError } from '../errors/ServiceError.js'
import type { Hex, Opening, SignMessageResult, TxMetadata, TypedDataInput } from '../types.js'

/** What was signed, and where its proof will be. */
export interface Signed {
  attestationSlug: string
  digest: Hex
  /** Of a message or typed data: what opens its receipt. */
  opening?: Opening
}

/** What `toServiceAccount` takes. */
export interface ServiceAccountOptions {
  client: ServiceClient
  /** The wallet's address, as in `WalletInfo`. */
  address: Hex
  /** Called after each signature with the slug of its proof, which viem's results have no field for. */
  onSigned?: (signed: Signed) => void
}

/**
 * The wallet as a viem account, for `createWalletClient`, `sendTransaction`, `writeContract` and anything else that
 * takes an account. It signs EIP-1559 transactions, messages and typed data; never a hash that somebody else computed.
 */
export function toServiceAccount({ client, address, onSigned }: ServiceAccountOptions): LocalAccount {
  const told = (digest: Hex, { signature, slug, opening }: SignMessageResult) => {
    tell(onSigned, { attestationSlug: slug, digest, opening })
    return signature
  }
  return toAccount({
    address,
    async signTransaction(transaction) {
      const txMetadata = toTxMetadata(transaction as TransactionSerializable, client.chainId)
      const digest = digestOf(txMetadata)
      const { api, owners, chainId } = client
      const approved = await owners.approve(await owners.find(address), chainId, digest)
      const answer = await api.signDigest({ digest, txMetadata, ...approved })
      await requireSigner(address, digest, txMetadata.nonce, answer)
      tell(onSigned, { attestationSlug: answer.slug, digest })
      return serialize(txMetadata, answer.signature)
    },
    signMessage: async ({ message }) => told(hashMessage(message), await client.signMessage(message, { address })),
    signTypedData: async (typedData) => {
      const { domain = {}, types, primaryType, message } = typedData as unknown as TypedDataInput
      const result = await client.signTypedData({ domain, types, primaryType, message }, { address })
      return told(hashTypedData(typedData), result)
    },
  }) as LocalAccount
}

/** Of EIP-7702 and EIP-4844: without them a transaction does something else. */
const otherFields = ['authorizationList', 'blobs', 'blobVersionedHashes', 'maxFeePerBlobGas', 'sidecars'] as const

/** Exactly the fields of an EIP-1559 transaction. A field that the enclave would not sign is refused, not dropped. */
function toTxMetadata(tx: TransactionSerializable, chainId: number): TxMetadata {
  const { type, to, nonce, value = 0n, data = '0x', gas, maxFeePerGas, maxPriorityFeePerGas = 0n } = tx
  const wrong = (message: string) => new ServiceError('transaction_invalid', message)
  if (type !== undefined && type !== 'eip1559') throw wrong(`Type ${type} is not supported, only eip1559.`)
  if (tx.chainId !== chainId) throw wrong(`The transaction is for chain ${tx.chainId}, the client for ${chainId}.`)
  if (!to) throw wrong('A recipient is needed.')
  if (nonce === undefined || gas === undefined || maxFeePerGas === undefined)
    throw wrong('nonce, gas and maxFeePerGas are needed.')
  const other = otherFields.find((field) => tx[field] !== undefined)
  if (other) throw wrong(`${other} is not supported, only the fields of eip1559.`)
  if (tx.accessList?.length) throw wrong('Access lists are not supported.')
  return toMetadata({ chainId, nonce, to, value, data, gas, maxFeePerGas, maxPriorityFeePerGas })
}
