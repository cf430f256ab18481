import { sha256 } from '@noble/hashes/sha2'
import { z } from 'zod'
import { encodeBinding, text, uint } from '../binding/index.js'
import { hexOf } from '../bytes/hexSchema.js'
import { canonicalJson, fromHex, toHex, type Hex, type UnixSeconds } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import { isP256Signed } from './p256.js'

export const zero32: Hex = `0x${'00'.repeat(32)}`
export const zeroAddress: Hex = `0x${'00'.repeat(20)}`

/** A statement is believed from a little before it was issued, because two clocks are never the same. */
const skewSeconds = 60
/** No request takes longer: a statement with a longer life is refused. */
export const maxStatementSeconds = 600

export const seconds = z.int().nonnegative().max(253_402_300_799)

const kinds = [
  'create-key',
  'sign-transaction',
  'sign-message',
  'sign-typed-data',
  'change-owners',
  'reseal-key',
] as const
/** What a statement asks for. */
type StatementKind = (typeof kinds)[number]

export const statementSchema = z.strictObject({
  kind: z.enum(kinds),
  /** Who asks: `subjectCommitment` of the person who is signed in. */
  subject: hexOf(32),
  /** The wallet. Zeros when a key is to be made. */
  address: hexOf(20),
  /** What is to be signed; of a message its `requestHash`. For `create-key` and `change-owners` the hash of the (next) owners record, zeros for none; for `reseal-key` the hash of the sealed key. */
  digest: hexOf(32),
  /** 0 where no chain is concerned. */
  chainId: z.int().nonnegative(),
  issuedAt: seconds,
  expiresAt: seconds,
  /** SHA-256 of the user's own canonical authorisation; zeros where there is none. */
  authorisationHash: hexOf(32),
  /** P-256, r || s, by the key that the coordinator's report binds. */
  signature: hexOf(64),
})

/** A request to make or use a key, signed by the coordinator. The enclave acts on nothing less. */
export interface SignedStatement {
  kind: StatementKind
  subject: Hex
  address: Hex
  digest: Hex
  chainId: number
  issuedAt: UnixSeconds
  expiresAt: UnixSeconds
  authorisationHash: Hex
  signature: Hex
}
export type Statement = Omit<SignedStatement, 'signature'>

/**
 * Names a person in statements, receipts and sealed keys without telling who it is: a commitment to issuer and subject,
 * with a random pepper (32 bytes) of their own, so that nobody can try known people one after the other.
 */
export function subjectCommitment(issuer: string, subject: string, pepper: Hex): Hex {
  return toHex(sha256(encodeBinding('perigee.subject.v1', [text(issuer), text(subject), fromHex(pepper, 32)])))
}

/** SHA-256 of the canonical form: what statements and quotes bind. */
export function hashOf(value: object): Hex {
  return toHex(sha256(new TextEncoder().encode(canonicalJson(value))))
}

/** The exact bytes the request key signs. */
export function encodeStatement(s: Statement): Uint8Array {
  return encodeBinding('perigee.statement.v1', [
    text(s.kind),
    fromHex(s.subject, 32),
    fromHex(s.address, 20),
    fromHex(s.digest, 32),
    uint(s.chainId),
    uint(s.issuedAt),
    uint(s.expiresAt),
    fromHex(s.authorisationHash, 32),
  ])
}

/** What the request itself shows: a statement must say the same. */
export type Stated = Pick<Statement, 'kind' | 'address' | 'digest' | 'chainId' | 'authorisationHash'>

/**
 * Throws unless `requestKey` made this statement about exactly this request, and it is believed at `now`:
 * `statement_invalid` or `statement_expired`. That the subject owns the key is shown by opening the key.
 */
export async function verifyStatement(
  statement: SignedStatement,
  about: Stated,
  requestKey: Hex,
  now: UnixSeconds,
): Promise<void> {
  for (const name of ['kind', 'address', 'digest', 'chainId', 'authorisationHash'] as const) {
    if (statement[name] !== about[name]) invalid(`the statement has another ${name} than the request`)
  }
  const { issuedAt, expiresAt } = statement
  if (expiresAt <= issuedAt || expiresAt - issuedAt > maxStatementSeconds)
    invalid('the statement’s life is not allowed')
  if (issuedAt > now + skewSeconds) invalid('the statement was issued in the future')
  if (now > expiresAt) throw new ServiceError('statement_expired', 'the statement has expired', { expiresAt, now })
  if (!(await isP256Signed(requestKey, encodeStatement(statement), fromHex(statement.signature, 64)))) {
    invalid('the statement is not signed by the coordinator’s request key')
  }
}

function invalid(message: string): never {
  throw new ServiceError('statement_invalid', message)
}
