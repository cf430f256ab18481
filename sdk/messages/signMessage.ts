import { bytesToHex, recoverAddress } from 'viem'
import { walletAddress, type Signer } from '../client/signing/Signer.js'
import { tell } from '../client/signing/tell.js'
import type { Confirm, Hex, MessageView, SignableMessage, SignMessageOptions, SignMessageResult } from '../types.js'
import { describe } from './describe.js'
import { MessageError, refuse, withRemedy } from './MessageError.js'
import { parsePersonal, parseTyped, type ParsedMessage } from './parseMessage.js'
import { requestHash } from './requestHash.js'

/** EIP-191: a text or bytes. */
export async function signMessage(client: Signer, message: SignableMessage, options: SignMessageOptions) {
  return sign(client, parsePersonal(message), options)
}

/** EIP-712: typed data, as an object or as JSON. */
export async function signTypedData(client: Signer, typedData: unknown, options: SignMessageOptions) {
  return sign(client, parseTyped(typedData), options)
}

/** Shows what is to be signed, has it approved and signed, and checks the answer. An abort takes effect between steps. */
async function sign(client: Signer, parsed: ParsedMessage, options: SignMessageOptions): Promise<SignMessageResult> {
  const { api, owners } = client
  const { onProgress, signal, confirm = client.confirm, salt = randomSalt() } = options
  const { message, digest } = parsed
  const address = options.address ?? (await walletAddress(client, signal))
  const view = describe(parsed, { address, chainId: client.chainId, origin: globalThis.location?.origin })
  const enter = (step: 'confirming' | 'authorising' | 'signing') => {
    tell(onProgress, { step, view })
    if (signal?.aborted) refuse('aborted', 'Stopped before anything was signed.')
  }
  checkAccount(parsed, address)
  enter('confirming')
  if (confirm) await requireConfirmation(confirm, view, signal)
  const wallet = await owners.find(address, signal)
  if (wallet) enter('authorising')
  const kind = message.scheme === 'eip191' ? 'message' : 'typed-data'
  const approved = await owners.approve(wallet, 0, requestHash(message.scheme, digest, salt), signal, kind)
  enter('signing')
  const { signature, slug } = await api
    .signMessage({ ...message, salt, ...approved }, signal)
    .catch((error: unknown) => {
      throw withRemedy(error)
    })
  if ((await recoverAddress({ hash: digest, signature })).toLowerCase() !== address.toLowerCase()) {
    refuse('bad_response', 'The signature is not one of this wallet over this message.')
  }
  tell(onProgress, { step: 'signed', view, slug })
  return { signature, slug, opening: { version: 'perigee-opening/1', message, signature, salt } }
}

async function requireConfirmation(confirm: Confirm, view: MessageView, signal?: AbortSignal): Promise<void> {
  let cause: unknown
  try {
    if ((await confirm(view, signal)) === true) return
  } catch (error) {
    cause = error
  }
  if (signal?.aborted) throw new MessageError('aborted', 'Stopped before anything was signed.', { cause })
  throw new MessageError('confirmation_declined', 'The person declined to sign this.', { cause })
}

function checkAccount({ signIn }: ParsedMessage, address: Hex): void {
  if (signIn && signIn.address.toLowerCase() !== address.toLowerCase()) {
    refuse('sign_in_account', 'The sign-in message names another account than this wallet.')
  }
}

const randomSalt = () => bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
