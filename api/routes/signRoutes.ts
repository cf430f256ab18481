import type { RequestHandler, Response } from 'express'
import { z } from 'zod'
import { parseTxMetadata, ServiceError, verifyDigest, type Hex, type TxMetadata } from '@perigee/core'
import type { PasskeyApproval } from '@perigee/core/authorisation'
import { signTimeoutMs } from '../../temporal/index.js'
import { checkSignApproval } from '../authority/checkApprovals.js'
import { createResealIfOld } from '../authority/createResealIfOld.js'
import { parsePasskeyApproval } from '../authority/parseOwners.js'
import { parseWith } from '../http/parseWith.js'
import type { Route } from '../http/Route.js'
import { enclaveErrors } from './enclaveErrors.js'
import type { RouteContext } from './RouteContext.js'
import { digestSchema, signDigestAnswerSchema, signDigestRequestSchema } from '../schemas.js'
import { createRequireUser, sessionOf } from '../sessions/createRequireUser.js'
import { createRequireOwnWallet, walletOf } from './walletRoutes.js'

interface SignRequest {
  digest: Hex
  transaction: TxMetadata
  approval: PasskeyApproval | null
}

const envelope = z.strictObject({ digest: z.unknown(), txMetadata: z.unknown(), authorisation: z.unknown().optional() })

/** Parses the request and checks that the digest is that of exactly this transaction. */
const parseSignDigest: RequestHandler = (req, res, next) => {
  const { digest, txMetadata, authorisation } = parseWith(envelope, req.body)
  const given = parseTxMetadata(txMetadata)
  const transaction = { ...given, to: given.to.toLowerCase() as Hex, data: given.data.toLowerCase() as Hex }
  const wanted = parseWith(digestSchema, digest, 'digest_mismatch').toLowerCase() as Hex
  verifyDigest(given, wanted)
  const approval = parsePasskeyApproval(authorisation)
  res.locals['signRequest'] = { digest: wanted, transaction, approval } satisfies SignRequest
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

  const requireApproval: RequestHandler = async (_req, res, next) => {
    const { digest, transaction, approval } = signRequestOf(res)
    const { chainId } = transaction
    await checkSignApproval(walletOf(res), { chainId, digest }, approval, Math.floor(deps.now().getTime() / 1000))
    next()
  }

  const resealIfOld = createResealIfOld(deps)

  const signDigest = answerOnce('/sign/digest', async (res) => {
    const { digest, transaction, approval } = signRequestOf(res)
    const { id: walletId, info } = walletOf(res)
    const { user, subject } = sessionOf(res)
    const { chainId } = transaction
    await audit('signature_requested', user.id, { walletId, digest, chainId }) // committed before the enclave is called
    const expiresAtMs = Date.now() + signTimeoutMs
    const request = { address: info.address, digest, chainId, approval, expiresAtMs }
    const stated = await deps.statements.signTransaction(subject, request)
    const signed = await deps.temporal.signDigest({ walletId, digest, transaction, approval, expiresAtMs, ...stated })
    resealIfOld(res, subject, walletOf(res))
    return signed
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
        'statement_expired',
        'request_expired',
        'entropy_unavailable',
        ...enclaveErrors,
      ],
      steps: [
        createRequireUser(sessions),
        parseSignDigest, // a few hashes: cheaper than the rate limit, which is a write
        requireAllowedChain,
        limits.perUser('sign'),
        createRequireOwnWallet(deps),
        requireApproval,
        signDigest,
      ],
    },
  ]
}
