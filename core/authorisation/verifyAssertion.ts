import { sha256 } from '@noble/hashes/sha2'
import { concatBytes, encodeBase64, equalBytes, fromHex, parseStrictJson, type Hex } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import type { OwnerCredential } from './Owners.js'
import { isP256SignedDer } from './p256.js'

/** What an authenticator and its browser answered, as `navigator.credentials.get` gives it. */
export interface Assertion {
  authenticatorData: Hex
  /** The exact text whose UTF-8 bytes were hashed. */
  clientDataJSON: string
  /** DER. */
  signature: Hex
}

const maxClientData = 1024
const flag = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10, reserved: 0xe2 } as const

/**
 * Throws `authorisation_invalid` unless this credential signed this challenge (32 bytes) on one of its pages, with the
 * user present and verified. Pure: no clock, no state. https://www.w3.org/TR/webauthn-3/#sctn-verifying-assertion
 */
export async function verifyAssertion(
  assertion: Assertion,
  credential: OwnerCredential,
  challenge: Hex,
): Promise<void> {
  const clientData = new TextEncoder().encode(assertion.clientDataJSON)
  if (clientData.length > maxClientData) refuse('clientDataJSON is too long')
  checkClientData(assertion.clientDataJSON, credential, challenge)
  const authenticatorData = fromHex(assertion.authenticatorData)
  checkAuthenticatorData(authenticatorData, credential.rpId)
  const signed = concatBytes(authenticatorData, sha256(clientData))
  if (!(await isP256SignedDer(credential.publicKey, signed, fromHex(assertion.signature)))) {
    refuse('the signature is not this credential’s')
  }
}

/** Browsers add members on purpose, so it is parsed, never compared with a template. */
function checkClientData(text: string, { origins }: OwnerCredential, challenge: Hex): void {
  const data = parseClientData(text)
  const { type, challenge: given, origin, crossOrigin = false } = data
  if (type !== 'webauthn.get') refuse('clientDataJSON is of another type')
  if (given !== base64url(fromHex(challenge, 32))) refuse('the passkey signed another challenge')
  if (typeof origin !== 'string' || !origins.includes(origin))
    refuse('the passkey was used on a page that is not enrolled')
  if (crossOrigin !== false || 'topOrigin' in data) refuse('the passkey was used inside another page')
}

function parseClientData(text: string): Record<string, unknown> {
  let data: unknown
  try {
    data = parseStrictJson(text, { maxDepth: 8, anyScalar: true })
  } catch {
    refuse('clientDataJSON is not strict JSON')
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) refuse('clientDataJSON is not an object')
  return data as Record<string, unknown>
}

/** The page on which a passkey was used. It is worth as much as the assertion, which `verifyAssertion` verifies. */
export function originOf({ clientDataJSON }: Pick<Assertion, 'clientDataJSON'>): string {
  const { origin } = parseClientData(clientDataJSON)
  return typeof origin === 'string' ? origin : refuse('clientDataJSON names no page')
}

function checkAuthenticatorData(data: Uint8Array, rpId: string): void {
  if (data.length !== 37) refuse('authenticatorData has another length')
  if (!equalBytes(data.subarray(0, 32), sha256(new TextEncoder().encode(rpId)))) refuse('the passkey is for another RP')
  const flags = data[32] as number
  if (!(flags & flag.userPresent)) refuse('the user was not present')
  if (!(flags & flag.userVerified)) refuse('the user was not verified')
  if (flags & flag.reserved) refuse('a flag is set that an assertion cannot have')
  if (flags & flag.backedUp && !(flags & flag.backupEligible)) refuse('backed up without being eligible')
}

/** Without padding, as WebAuthn writes it. */
export function base64url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function refuse(message: string): never {
  throw new ServiceError('authorisation_invalid', message)
}
