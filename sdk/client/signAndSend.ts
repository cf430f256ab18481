import { keccak256 } from 'viem'
import { ServiceError } from '../errors/index.js'
import type { Hex, SignOptions, SignRequest, SignResult } from '../types.js'
import { broadcast } from './broadcast.js'
import { buildTransaction, digestOf, serialize } from './buildTransaction.js'
import type { ServiceClient } from './ServiceClient.js'

/** Build, have signed, splice, broadcast. */
export async function signAndSend(
  client: ServiceClient,
  request: SignRequest,
  options: SignOptions,
): Promise<SignResult> {
  const { onProgress, signal } = options
  const checkpoint = () => {
    if (signal?.aborted) throw new ServiceError('aborted', 'The transaction was stopped before it was sent.')
  }
  checkpoint()
  onProgress?.({ step: 'preparing' })
  const from = options.address ?? (await walletAddress(client))
  const transaction = await buildTransaction(client.publicClient, client.chainId, from, request)
  const digest = digestOf(transaction)
  checkpoint()
  onProgress?.({ step: 'signing', digest, transaction })
  const { signature, slug: attestationSlug } = await client.api.signDigest({ digest, txMetadata: transaction }, signal)
  const signed = serialize(transaction, signature)
  checkpoint()
  onProgress?.({ step: 'broadcasting', txHash: keccak256(signed), attestationSlug })
  const txHash = await broadcast(client.publicClient, signed, attestationSlug)
  onProgress?.({ step: 'sent', txHash, attestationSlug })
  return { txHash, attestationSlug }
}

async function walletAddress(client: ServiceClient): Promise<Hex> {
  try {
    return (await client.api.getWallet()).address
  } catch (error) {
    if ((error as ServiceError).status === 404) throw walletNotReady()
    throw error
  }
}

/** Thrown when there is no wallet to sign with. The message is the code: applications match on it. */
export function walletNotReady(): ServiceError {
  return new ServiceError('wallet_not_ready', 'wallet_not_ready')
}
