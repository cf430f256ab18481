import { sha256 } from '@noble/hashes/sha2'
import { z } from 'zod'
import { hexOf, hexUpTo } from '../bytes/hexSchema.js'
import { canonicalJson, toHex, type Hex, type UnixSeconds } from '../bytes/index.js'
import { ownersSchema, type OwnersRecord } from './Owners.js'
import { statementSchema, type SignedStatement } from './Statement.js'
import type { Assertion } from './verifyAssertion.js'

/** Ordered: each proves more than the one before. */
export const authorisationLevels = ['coordinator-attested', 'passkey-verified'] as const
export type AuthorisationLevel = (typeof authorisationLevels)[number]

/** How a wallet came to its owners. One that had none before can still be used through its old sealed key. */
export type OwnedSince = 'creation' | 'upgrade'

/** One owner's agreement to one intent. */
export interface PasskeyApproval extends Assertion {
  /** Public key of the credential: one of the owners record. */
  credential: Hex
  validUntil: UnixSeconds
  salt: Hex
}

/** The recovery key's agreement to new owners: P-256 over the challenge, r || s. */
export interface RecoveryApproval {
  signature: Hex
  validUntil: UnixSeconds
  salt: Hex
}

/** Who agreed to a record of owners. */
export interface OwnersApproval {
  passkeys: PasskeyApproval[]
  recovery: RecoveryApproval | null
}

/** The member `authorisation` of a receipt: who asked for this signature, as the enclave checked it. */
export interface Authorisation {
  level: AuthorisationLevel
  statement: SignedStatement
  passkey: (PasskeyApproval & { since: OwnedSince; owners: OwnersRecord }) | null
}

const seconds = z.int().nonnegative().max(253_402_300_799)
const approval = {
  credential: hexOf(33),
  authenticatorData: hexUpTo(37),
  clientDataJSON: z.string().min(2).max(1024),
  signature: hexUpTo(72),
  validUntil: seconds,
  salt: hexOf(16),
}
export const passkeyApprovalSchema = z.strictObject(approval)
export const ownersApprovalSchema = z.strictObject({
  passkeys: z.array(passkeyApprovalSchema).max(16),
  recovery: z.strictObject({ signature: hexOf(64), validUntil: seconds, salt: hexOf(16) }).nullable(),
})
export const authorisationSchema = z
  .strictObject({
    level: z.enum(authorisationLevels),
    statement: statementSchema,
    passkey: z.strictObject({ ...approval, since: z.enum(['creation', 'upgrade']), owners: ownersSchema }).nullable(),
  })
  .refine(({ level, passkey }) => (level === 'passkey-verified') === (passkey !== null), 'level and evidence agree')

/** SHA-256 of the canonical form: what statements and quotes bind. */
export function hashOf(value: PasskeyApproval | OwnersApproval | Authorisation | object): Hex {
  return toHex(sha256(new TextEncoder().encode(canonicalJson(value))))
}
