import { bytesToHex, hashMessage, hexToBytes } from 'viem'
import type { Hex, Message, SignIn, SignableMessage } from '../types.js'
import { refuse } from './MessageError.js'
import { looksLikeSignIn, parseSignIn } from './parseSignIn.js'
import { parseTypedData } from './parseTypedData.js'
import { refuseDisguise } from './refuseDisguise.js'
import { isObject } from './typeNames.js'

/** What is to be signed, in the form that the service takes, and what the key signs for it. */
export interface ParsedMessage {
  message: Message
  digest: Hex
  /** Of the domain of typed data; null where there is none. */
  chainId: number | null
  /** Null for typed data, and for bytes that are no text. */
  text: string | null
  signIn: SignIn | null
}

const maxBytes = 65_536

/** A text, or bytes as they are: EIP-191, `personal_sign`. */
export function parsePersonal(content: SignableMessage): ParsedMessage {
  const bytes = bytesOf(content)
  checkSize(bytes.length)
  const text = textOf(bytes)
  refuseDisguise(bytes, text)
  // Also for bytes that are no text: a program that reads them less strictly could take them for a sign-in message.
  const loose = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  return {
    message: { scheme: 'eip191', message: bytesToHex(bytes) },
    digest: hashMessage({ raw: bytes }),
    chainId: null,
    text,
    signIn: looksLikeSignIn(loose) ? parseSignIn(loose) : null,
  }
}

/** EIP-712, `eth_signTypedData_v4`. Strict where it must already have the form that the service takes. */
export function parseTyped(content: unknown, strict = false): ParsedMessage {
  if (strict) checkSize(sizeOf(content))
  const { typedData, digest, chainId } = parseTypedData(content, strict)
  checkSize(sizeOf(typedData))
  return { message: { scheme: 'eip712', typedData }, digest, chainId, text: null, signIn: null }
}

function bytesOf(content: SignableMessage): Uint8Array {
  if (typeof content === 'string') return new TextEncoder().encode(content)
  const raw: unknown = isObject(content) ? content['raw'] : undefined
  if (raw instanceof Uint8Array) return raw
  if (typeof raw === 'string' && /^0x(?:[0-9a-fA-F]{2})*$/.test(raw)) return hexToBytes(raw as Hex)
  return refuse('message_invalid', 'the message is neither a text nor hex with 0x and whole bytes')
}

const sizeOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

function checkSize(bytes: number): void {
  if (bytes > maxBytes) refuse('message_too_large', `a message has at most ${maxBytes} bytes`)
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
