import type { TransactionSerializableEIP1559 } from 'viem'
import { keccak256, recoverAddress, serializeTransaction } from 'viem/utils' // not 'viem': clients and actions take 10 MB in every process
import type { Hex } from '../bytes/index.js'
import { ServiceError, withCode } from '../errors/index.js'
import { createVerifiedCache } from '../x509/verifiedCache.js'
import type { TxMetadata } from './TxMetadata.js'

/** Half the order of secp256k1: EIP-2 refuses a larger s, because the other one signs the same message. */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

function serialize(tx: TxMetadata, signature?: ParsedSignature): Hex {
  const message = 'not a transaction that can be serialised'
  return withCode('transaction_invalid', message, () => serializeTransaction(toEip1559(tx), signature))
}

function toEip1559(tx: TxMetadata): TransactionSerializableEIP1559 {
  return {
    type: 'eip1559',
    chainId: tx.chainId,
    nonce: tx.nonce,
    to: tx.to,
    value: BigInt(tx.value),
    data: tx.data,
    gas: BigInt(tx.gas),
    maxFeePerGas: BigInt(tx.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(tx.maxPriorityFeePerGas),
  }
}

/** The bytes whose keccak256 is signed (EIP-1559, type 2). */
export function serializeUnsigned(tx: TxMetadata): Hex {
  return serialize(tx)
}

/** keccak256 of the unsigned transaction: what the enclave signs. */
export function transactionDigest(tx: TxMetadata): Hex {
  return keccak256(serializeUnsigned(tx))
}

/** Throws `digest_mismatch` unless `digest` is that of exactly this transaction. */
export function verifyDigest(tx: TxMetadata, digest: string): void {
  const expected = transactionDigest(tx)
  if (digest.toLowerCase() !== expected) {
    throw new ServiceError('digest_mismatch', 'digest is not keccak256 of the transaction in txMetadata', { expected })
  }
}

export interface ParsedSignature {
  r: Hex
  s: Hex
  yParity: 0 | 1
}

/** Splits 65 bytes into r, s, v. Throws `signature_invalid` unless s is low and v is 27 or 28. */
export function parseSignature(signature: string): ParsedSignature {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) {
    throw new ServiceError('signature_invalid', 'signature is not 65 bytes of hex')
  }
  const r = `0x${signature.slice(2, 66)}` as Hex
  const s = `0x${signature.slice(66, 130)}` as Hex
  const v = Number.parseInt(signature.slice(130), 16)
  if (v !== 27 && v !== 28) throw new ServiceError('signature_invalid', 'signature v must be 27 or 28')
  if (BigInt(s) > halfOrder) throw new ServiceError('signature_invalid', 'signature s is not in the lower half')
  return { r, s, yParity: v === 27 ? 0 : 1 }
}

/** The raw signed transaction, ready to broadcast. */
export function serializeSigned(tx: TxMetadata, signature: string): Hex {
  return serialize(tx, parseSignature(signature))
}

/** The transaction hash on chain. */
export function transactionHash(tx: TxMetadata, signature: string): Hex {
  return keccak256(serializeSigned(tx, signature))
}

/** The address whose key made a signature; rejects when there is none. */
export type RecoverAddress = (of: { hash: Hex; signature: ParsedSignature }) => Promise<string>

/** A wallet's page and the verifier ask for the same signature; recovering its address takes milliseconds. */
const recovered = createVerifiedCache<string>(64)

async function recoverPortably({ hash, signature }: Parameters<RecoverAddress>[0]): Promise<string> {
  const { r, s, yParity } = signature
  const all = [hash, r, s, yParity].join()
  const address = recovered.get(all) ?? (await recoverAddress({ hash, signature }))
  recovered.set(all, address)
  return address
}

/**
 * Throws `signature_invalid` unless the signature over the transaction recovers to `address`. A server may pass a faster
 * `recover` than the portable one.
 */
export async function verifySigner(
  tx: TxMetadata,
  signature: string,
  address: string,
  recover: RecoverAddress = recoverPortably,
): Promise<void> {
  await verifySignerOf(transactionDigest(tx), signature, address, recover)
}

/** The same for any digest: throws `signature_invalid` unless the signature over it recovers to `address`. */
export async function verifySignerOf(
  digest: Hex,
  signature: string,
  address: string,
  recover: RecoverAddress = recoverPortably,
): Promise<void> {
  const parsed = parseSignature(signature)
  let recovered: string
  try {
    recovered = await recover({ hash: digest, signature: parsed })
  } catch (cause) {
    throw new ServiceError('signature_invalid', 'no public key recovers from this signature', {}, cause)
  }
  if (recovered.toLowerCase() !== address.toLowerCase()) {
    throw new ServiceError('signature_invalid', 'signature recovers to another address', { recovered, address })
  }
}
