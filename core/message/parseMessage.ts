import { keccak_256 } from '@noble/hashes/sha3'
import { concatBytes, fromHex, toHex, type Hex } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import { looksLikeSignIn, parseSignIn, type SignIn } from './parseSignIn.js'
import { parseTypedData } from './typedData/parseTypedData.js'
import { refuseDisguise } from './refuseDisguise.js'
import type { TypedData } from './typedData/TypedData.js'
import { isObject } from './typedData/typeNames.js'

/** EIP-191 (`personal_sign`) and EIP-712 (`eth_signTypedData_v4`). */
export const messageSchemes = ['eip191', 'eip712'] as const
export type MessageScheme = (typeof messageSchemes)[number]

/** The kinds of intents; statements put `sign-` before them. */
export const messageKinds = { eip191: 'message', eip712: 'typed-data' } as const

/** What is to be signed. Never a hash: the digest is computed from the content. */
export type Message =
  | {
      scheme: 'eip191'
      /** The bytes of the message; of a text, its UTF-8. */
      message: Hex
    }
  | { scheme: 'eip712'; typedData: TypedData }

export interface ParsedMessage {
  message: Message
  /** What the wallet's key signs. */
  digest: Hex
  /** Of the domain of typed data; null where there is none. */
  chainId: number | null
  /** The message as text; null for typed data, and for bytes that are no text. */
  text: string | null
  /** For a sign-in message (EIP-4361). */
  signIn: SignIn | null
}

export const maxMessageBytes = 65_536

const reasons: Record<string, string> = {
  hash: 'a raw hash is never signed: nobody could tell what it stands for',
  eip7702: 'an EIP-7702 authorisation would hand over the whole account',
}

/** Takes anything; returns a message with its digest, or throws a code that says what is wrong with it. */
export function parseMessage(input: unknown): ParsedMessage {
  if (!isObject(input)) throw new ServiceError('message_invalid', 'a message is an object with its scheme')
  const { scheme, message, typedData, ...rest } = input
  if (scheme !== 'eip191' && scheme !== 'eip712') {
    const reason = typeof scheme === 'string' && Object.hasOwn(reasons, scheme) ? reasons[scheme] : undefined
    throw new ServiceError('message_scheme_unsupported', reason ?? 'only eip191 and eip712 are signed')
  }
  const [content, other] = scheme === 'eip191' ? [message, typedData] : [typedData, message]
  if (content === undefined || other !== undefined || Object.keys(rest).length > 0) {
    throw new ServiceError('message_invalid', 'eip191 has the member message, eip712 typedData, and nothing else')
  }
  return scheme === 'eip191' ? parsePersonal(content) : parseTyped(content)
}

function parsePersonal(content: unknown): ParsedMessage {
  if (typeof content !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(content)) {
    throw new ServiceError('message_invalid', 'the message is hex with 0x and whole bytes')
  }
  checkSize((content.length - 2) / 2)
  const bytes = fromHex(content)
  const text = textOf(bytes)
  refuseDisguise(bytes, text)
  const prefix = new TextEncoder().encode(`\x19Ethereum Signed Message:\n${bytes.length}`)
  return {
    message: { scheme: 'eip191', message: toHex(bytes) },
    digest: toHex(keccak_256(concatBytes(prefix, bytes))),
    chainId: null,
    text,
    signIn: signInOf(bytes),
  }
}

function parseTyped(content: unknown): ParsedMessage {
  checkSize(new TextEncoder().encode(JSON.stringify(content)).length)
  const { typedData, digest, chainId } = parseTypedData(content)
  return { message: { scheme: 'eip712', typedData }, digest, chainId, text: null, signIn: null }
}

function checkSize(bytes: number): void {
  if (bytes > maxMessageBytes) {
    throw new ServiceError('message_too_large', `a message has at most ${maxMessageBytes} bytes`, { bytes })
  }
}

/** Also for bytes that are no text: a program that reads them less strictly could still take them for a sign-in message. */
function signInOf(bytes: Uint8Array): SignIn | null {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  return looksLikeSignIn(text) ? parseSignIn(text) : null
}

/** Null for bytes that are not UTF-8, or have control characters that no text has. */
function textOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text) ? null : text
  } catch {
    return null
  }
}
