import { keccak256 } from 'viem'
import { ServiceError } from '../../errors/ServiceError.js'
import type {
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
import { requireSigner } from './requireSigner.js'
import { walletAddress, type Signer } from './Signer.js'
import { tell } from './tell.js'
import { warnMaybeSigned, warnSigned } from './warnSigned.js'

/** Builds the transaction, has it signed, adds the signature and broadcasts. An abort takes effect between steps. */
export async function signAndSend(client: Signer, request: SignRequest, options: SignOptions): Promise<SignResult> {
  const { onProgress, signal } = options
  const enter = (progress: SignProgress, ifAborted: string, facts: Record<string, unknown> = {}) => {
    tell(onProgress, progress)
    if (signal?.aborted) throw new ServiceError('aborted', ifAborted, { facts })
  }
  const notSigned = 'Stopped before the transaction was signed.'
  enter({ step: 'preparing' }, notSigned)
  const from = options.address ?? (await walletAddress(client))
  const [transaction, wallet] = await Promise.all([
    buildTransaction(client.publicClient, client.chainId, from, request),
    client.owners.find(from, signal),
  ])
  const { nonce } = transaction
  const digest = digestOf(transaction)
  if (wallet) enter({ step: 'authorising', digest, transaction }, notSigned)
  const approved = await client.owners.approve(wallet, client.chainId, digest, signal)
  enter({ step: 'signing', digest, transaction }, notSigned)
  const answer = await sign(client.api, { digest, txMetadata: transaction, ...approved }, signal)
  await requireSigner(from, digest, nonce, answer)
  const { signature, slug: attestationSlug } = answer
  const signed = serialize(transaction, signature)
  const facts = { txHash: keccak256(signed), attestationSlug, nonce }
  const notSent = `Stopped before the transaction was sent. ${warnSigned(nonce)}`
  enter({ step: 'broadcasting', txHash: facts.txHash, attestationSlug }, notSent, facts)
  const txHash = await broadcast(client.publicClient, signed, facts)
  tell(onProgress, { step: 'sent', txHash, attestationSlug })
  return { txHash, attestationSlug }
}

/** Without a readable answer, or after a failure of the service, it may have signed all the same. The error says so. */
async function sign(api: ServiceApi, body: SignDigestRequest, signal?: AbortSignal): Promise<SignDigestResult> {
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
