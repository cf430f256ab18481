import { numberToBytes, numberToHex } from 'viem'
import type { Hex, RecoveryApproval } from '../types.js'
import { freshTerms, type Matter } from './askPasskey.js'
import { base64url, compress, hexOf, intentChallenge } from './encode.js'
import { isScalar, publicPoint } from './p256.js'
import { PasskeyError } from './PasskeyError.js'

/** Crockford's base 32: no I, L, O and U. The last five are for the check character only. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U'
const digits = 26 // of five bits each, for 128 bits

/** A code that may name new owners once. Shown to the person, and kept nowhere. */
export async function createRecoveryCode(): Promise<{ code: string; publicKey: Hex }> {
  for (;;) {
    const bytes = crypto.getRandomValues(new Uint8Array(16))
    const scalar = await deriveScalar(bytes)
    if (isScalar(scalar)) return { code: printCode(bytes), publicKey: publicKeyOf(scalar) }
  }
}

/** 128 bits as seven groups of letters and digits; the last character is a check of the others (modulo 37). */
export function printCode(bytes: Uint8Array): string {
  const value = BigInt(hexOf(bytes))
  const letters = Array.from({ length: digits }, (_, i) => alphabet[Number((value >> BigInt(5 * (25 - i))) & 31n)])
  const text = letters.join('') + alphabet[Number(value % 37n)]
  return text.match(/.{1,4}/g)?.join('-') ?? ''
}

/** Takes what a person typed: case, spaces and dashes do not matter, O is 0, I and L are 1. */
export function parseCode(typed: string): Uint8Array {
  const text = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  const values = Array.from(text, (char) => alphabet.indexOf(char))
  const check = values.pop()
  const value = values.reduce((sum, digit) => sum * 32n + BigInt(digit), 0n)
  const wrong =
    values.length !== digits ||
    values.some((digit) => digit < 0 || digit > 31) ||
    value >> 128n ||
    value % 37n !== BigInt(check ?? -1)
  if (wrong) throw wrongCode('This is not a recovery code: a character is wrong or missing.')
  return numberToBytes(value, { size: 16 })
}

/** The recovery key's agreement to a change of owners; throws unless the code is the one that the record names. */
export async function approveByCode(typed: string, matter: Matter, expected: Hex): Promise<RecoveryApproval> {
  const scalar = await deriveScalar(parseCode(typed))
  if (!isScalar(scalar) || publicKeyOf(scalar) !== expected) throw wrongCode('This recovery code is not this wallet’s.')
  const { x, y } = publicPoint(scalar)
  const part = (value: bigint) => base64url(numberToBytes(value, { size: 32 }))
  const jwk = { kty: 'EC', crv: 'P-256', d: part(scalar), x: part(x), y: part(y) }
  const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
  const terms = freshTerms()
  const challenge = intentChallenge({ ...matter, ...terms })
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, challenge as BufferSource)
  return { signature: hexOf(signature), ...terms }
}

/** HKDF-SHA256 of the code: 32 bytes, which are a private key but for one code in four billion. */
async function deriveScalar(code: Uint8Array): Promise<bigint> {
  const key = await crypto.subtle.importKey('raw', code as BufferSource, 'HKDF', false, ['deriveBits'])
  const salt = new TextEncoder().encode('perigee.recovery.v1')
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt, info: new Uint8Array(0) }
  return BigInt(hexOf(await crypto.subtle.deriveBits(algorithm, key, 256)))
}

function publicKeyOf(scalar: bigint): Hex {
  const { x, y } = publicPoint(scalar)
  return compress(numberToHex(x, { size: 32 }).slice(2), numberToHex(y, { size: 32 }).slice(2))
}

function wrongCode(message: string): PasskeyError {
  return new PasskeyError('recovery_code_invalid', message)
}
