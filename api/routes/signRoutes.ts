import type { RequestHandler, Response } from 'express'
import { z } from 'zod'
import { parseTxMetadata, ServiceError, verifyDigest, type Hex, type TxMetadata } from '@perigee/core'
import { parseWith } from '../http/parseWith.js'
import type { Route } from '../http/Route.js'
import type { RouteContext } from './RouteContext.js'
import { digestSchema, signDigestAnswerSchema, signDigestRequestSchema } from '../schemas.js'
import { createRequireUser, sessionOf } from '../sessions/createRequireUser.js'
import { createRequireOwnWallet, walletOf } from './walletRoutes.js'

interface SignRequest {
  digest: Hex
  transaction: TxMetadata
}

const envelope = z.strictObject({ digest: z.unknown(), txMetadata: z.unknown() })

/** Parses the request and checks that the digest is that of exactly this transaction. */
const parseSignDigest: RequestHandler = (req, res, next) => {
  const { digest, txMetadata } = parseWith(envelope, req.body)
  const given = parseTxMetadata(txMetadata)
  const transaction = { ...given, to: given.to.toLowerCase() as Hex, data: given.data.toLowerCase() as Hex }
  const wanted = parseWith(digestSchema, digest, 'digest_mismatch').toLowerCase() as Hex
  verifyDigest(given, wanted)
  res.locals['signRequest'] = { digest: wanted, transaction } satisfies SignRequest
  next()
}

function signRequestOf(res: Response): SignRequest {
  return res.locals['signRequest'] as SignRequest
}

export function createSignRoutes({ deps, sessions, limits, audit, answerOnce }: RouteContext): Route[] {
  const allowedChains = new Set(deps.settings.chainIds)

  const requireAllowedChain: RequestHandler = (_req, res, next) => {
    const { chainId } = signRequestOf(res).transaction
    if (!allowedChains.has(chainId)) {
      throw new ServiceError('chain_not_allowed', 'this service does not sign for that chain', { chainId })
    }
    next()
  }

  const signDigest = answerOnce('/sign/digest', async (res) => {
    const request = signRequestOf(res)
    const { id: walletId } = walletOf(res)
    const facts = { walletId, digest: request.digest, chainId: request.transaction.chainId }
    await audit('signature_requested', sessionOf(res).user.id, facts) // committed before the enclave is called
    return deps.temporal.signDigest({ walletId, ...request })
  })

  return [
    {
      method: 'post',
      path: '/sign/digest',
      operationId: 'signDigest',
      summary: 'Signs an EIP-1559 transaction in the enclave; the same transaction again gives the same answer',
      session: true,
      body: signDigestRequestSchema,
      idempotencyKey: true,
      answers: { 200: { description: 'the signature and the slug of its proof', schema: signDigestAnswerSchema } },
      errors: [
        'wallet_not_found',
        'digest_mismatch',
        'transaction_invalid',
        'chain_not_allowed',
        'request_expired',
        'idempotency_mismatch',
        'idempotency_in_flight',
        'enclave_unreachable',
        'entropy_unavailable',
        'service_unavailable',
      ],
      steps: [
        createRequireUser(sessions),
        parseSignDigest, // a few hashes: cheaper than the rate limit, which is a write
        requireAllowedChain,
        limits.perUser('sign'),
        createRequireOwnWallet(deps),
        signDigest,
      ],
    },
  ]
}
