import type { RequestHandler, Response } from 'express'
import { z } from 'zod'
import { parseTxMetadata, ServiceError, verifyDigest, type Hex, type TxMetadata } from '@perigee/core'
import type { SigningInput } from '@perigee/core/workflow'
import { signTimeoutMs } from '../../../temporal/index.js'
import { createResealIfOld } from '../../authority/createResealIfOld.js'
import { parsePasskeyApproval } from '../../authority/parseOwners.js'
import { parseWith } from '../../http/parseWith.js'
import type { Route } from '../../http/Route.js'
import { signErrors, transactionErrors } from '../enclaveErrors.js'
import type { RouteContext } from '../RouteContext.js'
import { digestSchema, signDigestAnswerSchema, signDigestRequestSchema } from '../../schemas.js'
import { sessionOf } from '../../sessions/createRequireUser.js'
import { createRequireApproval } from './createRequireApproval.js'
import { createShareSteps } from './createShareSteps.js'
import { signRequestOf, type SignRequest } from './SignRequest.js'
import { createRequireOwnWallet, walletOf } from '../walletRoutes.js'

const envelope = z.strictObject({ digest: z.unknown(), txMetadata: z.unknown(), authorisation: z.unknown().optional() })

/** Parses the request and checks that the digest is that of exactly this transaction. */
const parseSignDigest: RequestHandler = (req, res, next) => {
  const { digest, txMetadata, authorisation } = parseWith(envelope, req.body)
  const given = parseTxMetadata(txMetadata)
  const content = { ...given, to: given.to.toLowerCase() as Hex, data: given.data.toLowerCase() as Hex }
  const wanted = parseWith(digestSchema, digest, 'digest_mismatch').toLowerCase() as Hex
  verifyDigest(given, wanted)
  const approval = parsePasskeyApproval(authorisation)
  const { chainId } = content
  const request = { kind: 'transaction', digest: wanted, chainId, concernedChain: chainId, content, approval } as const
  res.locals['signRequest'] = request satisfies SignRequest<TxMetadata>
  next()
}

/** What the routes that have something signed share. */
export function createSigningSteps({ deps }: RouteContext) {
  const allowedChains = new Set(deps.settings.chainIds)
  const resealIfOld = createResealIfOld(deps)
  const requireAllowedChain: RequestHandler = (_req, res, next) => {
    const { concernedChain: chainId } = signRequestOf(res)
    if (chainId !== null && !allowedChains.has(chainId)) {
      throw new ServiceError('chain_not_allowed', 'this service does not sign for that chain', { chainId })
    }
    next()
  }
  /** States to the enclave what is asked, and has it signed by `run`. */
  async function sign<T>(res: Response, run: (input: SigningInput) => Promise<T>): Promise<T> {
    const request = signRequestOf(res)
    const { id: walletId, info } = walletOf(res)
    const { subject } = sessionOf(res)
    const expiresAtMs = Date.now() + signTimeoutMs
    const stated = await deps.statements.sign(subject, { ...request, address: info.address, expiresAtMs })
    const signed = await run({ walletId, approval: request.approval, expiresAtMs, ...stated })
    resealIfOld(res, subject, walletOf(res))
    return signed
  }
  return { requireAllowedChain, sign }
}

export function createSignRoutes(context: RouteContext): Route[] {
  const { deps, answerOnce } = context
  const { requireAllowedChain, sign } = createSigningSteps(context)
  const { answer: signDigest, answerAgain } = answerOnce('/sign/digest', (res) => {
    const { digest, content: transaction } = signRequestOf<TxMetadata>(res)
    return sign(res, (input) => deps.temporal.signDigest({ ...input, digest, transaction }))
  })
  return [
    {
      method: 'post',
      path: '/sign/digest',
      operationId: 'signDigest',
      summary: 'Signs an EIP-1559 transaction; the same again gives the same answer until its approval expires',
      session: true,
      body: signDigestRequestSchema,
      idempotencyKey: true,
      answers: { 200: { description: 'the signature and the slug of its proof', schema: signDigestAnswerSchema } },
      errors: [...transactionErrors, ...signErrors],
      steps: [
        parseSignDigest,
        requireAllowedChain,
        createRequireOwnWallet(deps),
        createRequireApproval(deps, answerAgain),
        ...createShareSteps(context, ({ digest, chainId }) => ({ digest, chainId })),
        signDigest,
      ],
    },
  ]
}
