import { keccak256, type PublicClient } from 'viem'
import { ServiceError } from '../../errors/ServiceError.js'
import { walletNotReady } from '../../errors/walletNotReady.js'
import type {
  Hex,
  SignDigestRequest,
  SignDigestResult,
  SignOptions,
  SignProgress,
  SignRequest,
  SignResult,
} from '../../types.js'
import { broadcast } from './broadcast.js'
import { buildTransaction, digestOf, serialize } from './buildTransaction.js'
import type { ServiceApi } from '../createApi.js'
import type { Owners } from '../createOwners.js'
import { requireSigner } from './requireSigner.js'
import { tell } from './tell.js'
import { warnMaybeSigned, warnSigned } from './warnSigned.js'

interface Signer {
  chainId: number
  api: ServiceApi
  owners: Owners
  publicClient: PublicClient
}

/** Builds the transaction, has it signed, adds the signature and broadcasts. An abort takes effect between steps. */
export async function signAndSend(client: Signer, request: SignRequest, options: SignOptions): Promise<SignResult> {
  const { onProgress, signal } = options
  const enter = (progress: SignProgress, ifAborted: string, facts?: Record<string, unknown>) => {
    tell(onProgress, progress)
    if (signal?.aborted) throw new ServiceError('aborted', ifAborted, { facts: facts ?? {} })
  }
  const notSigned = 'Stopped before the transaction was signed.'
  enter({ step: 'preparing' }, notSigned)
  const from = options.address ?? (await walletAddress(client.api))
  const [transaction, wallet] = await Promise.all([
    buildTransaction(client.publicClient, client.chainId, from, request),
    client.owners.find(from, signal),
  ])
  const { nonce } = transaction
  const digest = digestOf(transaction)
  if (wallet) enter({ step: 'authorising', digest, transaction }, notSigned)
  const body = {
    digest,
    txMetadata: transaction,
    ...(await client.owners.approve(wallet, client.chainId, digest, signal)),
  }
  enter({ step: 'signing', digest, transaction }, notSigned)
  const answer = await sign(client.api, body, signal)
  await requireSigner(from, digest, nonce, answer)
  const { signature, slug: attestationSlug } = answer
  const signed = serialize(transaction, signature)
  const known = { txHash: keccak256(signed), attestationSlug }
  enter({ step: 'broadcasting', ...known }, `Stopped before the transaction was sent. ${warnSigned(nonce)}`, {
    ...known,
    nonce,
  })
  const txHash = await broadcast(client.publicClient, signed, { attestationSlug, nonce })
  tell(onProgress, { step: 'sent', txHash, attestationSlug })
  return { txHash, attestationSlug }
}

/** Without a readable answer, or after a failure of the service, it may have signed all the same. The error says so. */
async function sign(
  api: ServiceApi,
  body: SignDigestRequest,
  signal: AbortSignal | undefined,
): Promise<SignDigestResult> {
  try {
    return await api.signDigest(body, signal)
  } catch (cause) {
    const known = cause as ServiceError
    const { code, status, message } = known
    if (status !== null && status >= 400 && status < 500) throw cause // refused: nothing was signed
    const { nonce } = body.txMetadata
    const facts = { ...known.facts, digest: body.digest, nonce }
    throw new ServiceError(code, `${message} ${warnMaybeSigned(nonce)}`, { ...known, facts, cause })
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
