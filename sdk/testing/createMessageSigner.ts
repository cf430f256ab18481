import { serializeSignature, toHex } from 'viem'
import { sign } from 'viem/accounts'
import { MessageError } from '../messages/MessageError.js'
import type { ParsedMessage } from '../messages/parseMessage.js'
import { messageCommitment, requestHash } from '../messages/requestHash.js'
import type { Hex, PasskeyApproval, SignIn, SignMessageResult } from '../types.js'
import { approvedBy, type createAccounts, type Wallet } from './createAccounts.js'
import type { SignedMessageRecord } from './makeReceipt.js'
import { parseWire } from './parseWire.js'
import { Problem } from './Problem.js'

type CheckOwner = ReturnType<typeof createAccounts>['checkOwner']

/** Signs messages and typed data by the service's rules, and refuses with its codes. */
export function createMessageSigner(servedChainId: number, checkOwner: CheckOwner) {
  const answers = new Map<Wallet, Map<Hex, SignMessageResult>>()

  /** Signs once per wallet, message and salt; asked again, gives the same answer. `pages` may ask for sign-ins. */
  return async function signMessage(
    wallet: Wallet,
    body: Record<string, unknown>,
    pages: readonly string[],
    onSigned: (slug: string, record: SignedMessageRecord) => void,
  ): Promise<SignMessageResult> {
    const { salt: given, authorisation, ...content } = body
    const salt = parseSalt(given)
    const approval = authorisation as PasskeyApproval | undefined
    const { message, digest, chainId, signIn } = parse(content)
    if (chainId !== null && chainId !== servedChainId) {
      throw new Problem(422, 'chain_not_allowed', 'This chain is not served.')
    }
    if (signIn) checkSignIn(signIn, wallet.info.address, approval ? [originOf(approval)] : pages)
    const { scheme } = message
    const asked = requestHash(scheme, digest, salt)
    const kind = scheme === 'eip191' ? 'message' : 'typed-data'
    await checkOwner(wallet, { kind, chainId: 0, digest: asked }, approval)
    const earlier = answers.get(wallet) ?? new Map<Hex, SignMessageResult>()
    answers.set(wallet, earlier)
    const signature = serializeSignature(await sign({ hash: digest, privateKey: wallet.key }))
    const known = earlier.get(asked)
    if (known) return known
    const slug = toHex(crypto.getRandomValues(new Uint8Array(16))).slice(2)
    const answer: SignMessageResult = {
      signature,
      slug,
      opening: { version: 'perigee-opening/1', message, signature, salt },
    }
    earlier.set(asked, answer)
    const { address } = wallet.info
    const commitment = messageCommitment(scheme, digest, salt, signature)
    onSigned(slug, {
      address,
      publicKey: wallet.account.publicKey,
      digest: asked,
      signedAt: new Date(),
      passkey: approvedBy(wallet, approval),
      message: { scheme, from: address, requestHash: asked, commitment },
    })
    return answer
  }
}

function parse(content: Record<string, unknown>): ParsedMessage {
  try {
    return parseWire(content)
  } catch (error) {
    if (!(error instanceof MessageError)) throw error
    throw new Problem(error.code === 'message_too_large' ? 413 : 422, error.code, error.message)
  }
}

function parseSalt(salt: unknown): Hex {
  if (typeof salt === 'string' && /^0x[0-9a-f]{64}$/i.test(salt)) return salt.toLowerCase() as Hex
  throw new Problem(400, 'invalid_request', 'salt is not 32 bytes of hex.')
}

function checkSignIn({ address, domain, scheme }: SignIn, own: Hex, pages: readonly string[]): void {
  if (address.toLowerCase() !== own.toLowerCase()) {
    throw new Problem(422, 'sign_in_account', 'The sign-in message names another account than this wallet.')
  }
  const isSite = (origin: string) => {
    const [protocol = '', host = ''] = origin.toLowerCase().split('://')
    return host === domain.toLowerCase() && (scheme === null || scheme.toLowerCase() === protocol)
  }
  if (pages.some(isSite)) return
  throw new Problem(403, 'sign_in_domain', 'The sign-in message is for another site than the one that asks.')
}

/** The page that the passkey saw. */
function originOf({ clientDataJSON }: PasskeyApproval): string {
  try {
    return String(Object(JSON.parse(clientDataJSON)).origin)
  } catch {
    throw new Problem(422, 'authorisation_invalid', 'clientDataJSON is not JSON.')
  }
}
