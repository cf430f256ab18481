import { keccak256, type PublicClient } from 'viem'
import { ServiceError } from '../errors/ServiceError.js'
import type { Hex, SignDigestResult, SignOptions, SignProgress, SignRequest, SignResult, TxMetadata } from '../types.js'
import { broadcast } from './broadcast.js'
import { buildTransaction, digestOf, serialize } from './buildTransaction.js'
import type { ServiceApi } from './createApi.js'
import { warnMaybeSigned, warnSigned } from './warnSigned.js'

interface Signer {
  chainId: number
  api: ServiceApi
  publicClient: PublicClient
}

/** Builds the transaction, has it signed, adds the signature and broadcasts. An abort takes effect between steps. */
export async function signAndSend(client: Signer, request: SignRequest, options: SignOptions): Promise<SignResult> {
  const { onProgress, signal } = options
  const enter = (progress: SignProgress, ifAborted: string, facts?: Record<string, unknown>) => {
    onProgress?.(progress)
    if (signal?.aborted) throw new ServiceError('aborted', ifAborted, { facts: facts ?? {} })
  }
  const notSigned = 'Stopped before the transaction was signed.'
  enter({ step: 'preparing' }, notSigned)
  const from = options.address ?? (await walletAddress(client.api))
  const transaction = await buildTransaction(client.publicClient, client.chainId, from, request)
  const { nonce } = transaction
  const digest = digestOf(transaction)
  enter({ step: 'signing', digest, transaction }, notSigned)
  const { signature, slug: attestationSlug } = await sign(client.api, digest, transaction, signal)
  const signed = serialize(transaction, signature)
  const known = { txHash: keccak256(signed), attestationSlug }
  enter({ step: 'broadcasting', ...known }, `Stopped before the transaction was sent. ${warnSigned(nonce)}`, {
    ...known,
    nonce,
  })
  const txHash = await broadcast(client.publicClient, signed, { attestationSlug, nonce })
  onProgress?.({ step: 'sent', txHash, attestationSlug })
  return { txHash, attestationSlug }
}

/** Without a readable answer, or after a failure of the service, it may have signed all the same. The error says so. */
async function sign(
  api: ServiceApi,
  digest: Hex,
  txMetadata: TxMetadata,
  signal: AbortSignal | undefined,
): Promise<SignDigestResult> {
  try {
    return await api.signDigest({ digest, txMetadata }, signal)
  } catch (cause) {
    const { code, status, message, requestId, retryAfterMs, facts } = cause as ServiceError
    if (status !== null && status >= 400 && status < 500) throw cause // refused: nothing was signed
    const { nonce } = txMetadata
    throw new ServiceError(code, `${message} ${warnMaybeSigned(nonce)}`, {
      status,
      requestId,
      retryAfterMs,
      facts: { ...facts, digest, nonce },
      cause,
    })
  }
}

async function walletAddress(api: ServiceApi): Promise<Hex> {
  try {
    return (await api.getWallet()).address
  } catch (error) {
    if ((error as ServiceError).status === 404) throw walletNotReady()
    throw error
  }
}

/** Thrown when there is no wallet to sign with. The message is the code: applications match on it. */
export function walletNotReady(): ServiceError {
  return new ServiceError('wallet_not_ready', 'wallet_not_ready')
}
