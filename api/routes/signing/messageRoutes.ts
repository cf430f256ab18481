import type { RequestHandler } from 'express'
import { z } from 'zod'
import type { Hex } from '@perigee/core'
import { originOf } from '@perigee/core/authorisation'
import type { ErrorCode } from '@perigee/core/errors'
import {
  checkSignInAccount,
  checkSignInSite,
  messageKinds,
  parseMessage,
  requestHash,
  type Message,
  type Opening,
  type SignIn,
} from '@perigee/core/message'
import { parsePasskeyApproval } from '../../authority/parseOwners.js'
import { parseWith } from '../../http/parseWith.js'
import type { Route } from '../../http/Route.js'
import { saltSchema, signMessageAnswerSchema, signMessageRequestSchema } from '../../schemas.js'
import { signErrors } from '../enclaveErrors.js'
import type { RouteContext } from '../RouteContext.js'
import { createRequireApproval } from './createRequireApproval.js'
import { createShareSteps } from './createShareSteps.js'
import { signRequestOf, type SignRequest } from './SignRequest.js'
import { createSigningSteps } from './signRoutes.js'
import { createRequireOwnWallet, walletOf } from '../walletRoutes.js'

/** Hex doubles a message of 64 kB; the rest is for the passkey. The enclave reads JSON 32 deep, with the message one deeper. */
const maxBody = { bytes: 144 * 1024, depth: 31 }

/** What a message to sign is wrong about. */
const messageErrors: readonly ErrorCode[] = [
  'message_invalid',
  'message_too_large',
  'message_scheme_unsupported',
  'message_is_transaction',
  'message_is_hash',
  'typed_data_invalid',
  'typed_data_domain',
  'typed_data_primary_type',
  'typed_data_type_invalid',
  'typed_data_type_missing',
  'typed_data_type_unused',
  'typed_data_type_recursive',
  'typed_data_too_deep',
  'typed_data_member_unknown',
  'typed_data_member_missing',
  'typed_data_number',
  'typed_data_value',
  'sign_in_malformed',
  'sign_in_domain',
  'sign_in_account',
]

interface Content {
  message: Message
  salt: Hex
  signIn: SignIn | null
}

const envelope = z.looseObject({ salt: saltSchema, authorisation: z.unknown().optional() })

/** Parses the message strictly and names the request by its hash. */
const parseSignMessage: RequestHandler = (req, res, next) => {
  const { salt: given, authorisation, ...input } = parseWith(envelope, req.body)
  const { message, digest, chainId: concernedChain, signIn } = parseMessage(input)
  const salt = given.toLowerCase() as Hex
  const { scheme } = message
  const kind = messageKinds[scheme]
  const approval = parsePasskeyApproval(authorisation)
  const content = { message, salt, signIn }
  const asked = { kind, chainId: 0, digest: requestHash({ scheme, digest, salt }) }
  res.locals['signRequest'] = { ...asked, concernedChain, content, approval } satisfies SignRequest<Content>
  next()
}

export function createMessageRoutes(context: RouteContext): Route[] {
  const { deps, answerOnce } = context
  const { requireAllowedChain, sign } = createSigningSteps(context)

  /**
   * A sign-in message is for this wallet, and for the page that the passkey saw. Without a passkey it is for the page that
   * sends the request: a page cannot choose its `Origin`. A request without one is refused, by the forgery guard already.
   */
  const requireOwnSignIn: RequestHandler = (req, res, next) => {
    const { content, approval } = signRequestOf<Content>(res)
    const { signIn } = content
    if (signIn) {
      checkSignInAccount(signIn, walletOf(res).info.address)
      const page = approval ? originOf(approval) : req.get('origin')
      checkSignInSite(signIn, page === undefined ? [] : [page])
    }
    next()
  }

  // The answer is a credential, so none is kept: a repeated key signs again, which gives the same answer from the record.
  const { answer: signMessage, answerAgain } = answerOnce(
    '/sign/message',
    async (res) => {
      const { digest, content } = signRequestOf<Content>(res)
      const { message, salt } = content
      const { signature, slug } = await sign(res, (input) =>
        deps.temporal.signMessage({ ...input, requestHash: digest, message, salt }),
      )
      const opening: Opening = { version: 'perigee-opening/1', message, signature, salt }
      return { signature, slug, opening }
    },
    { keep: false },
  )

  return [
    {
      method: 'post',
      path: '/sign/message',
      operationId: 'signMessage',
      summary:
        'Signs a message (EIP-191) or typed data (EIP-712) in the enclave; the same request again gives the same answer until its approval expires',
      session: true,
      body: signMessageRequestSchema,
      maxBody,
      idempotencyKey: true,
      answers: {
        200: {
          description: 'the signature, the slug of its proof, and what opens its receipt; none of it is kept readable',
          schema: signMessageAnswerSchema,
        },
      },
      errors: [...messageErrors, ...signErrors],
      steps: [
        parseSignMessage,
        requireAllowedChain,
        createRequireOwnWallet(deps),
        requireOwnSignIn,
        createRequireApproval(deps, answerAgain),
        ...createShareSteps<Content>(context, ({ digest, content }) => {
          return { requestHash: digest, scheme: content.message.scheme }
        }),
        signMessage,
      ],
    },
  ]
}
