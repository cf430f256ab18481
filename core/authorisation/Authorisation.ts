import { z } from 'zod'
import { hexOf, hexUpTo } from '../bytes/hexSchema.js'
import type { Hex, UnixSeconds } from '../bytes/index.js'
import { ownersSchema, type OwnedSince, type OwnersRecord } from './Owners.js'
import { seconds, statementSchema, type SignedStatement } from './Statement.js'
import type { Assertion } from './verifyAssertion.js'

/** Ordered: each proves more than the one before. */
export const authorisationLevels = ['coordinator-attested', 'passkey-verified'] as const
export type AuthorisationLevel = (typeof authorisationLevels)[number]

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

/** What a signing request shows about who asked. */
export interface AuthorisedRequest {
  statement: SignedStatement
  approval: PasskeyApproval | null
  owners: OwnersRecord | null
  since: OwnedSince | null
}

/** The receipt's member `authorisation`, as enclave and worker each compute it from the request. */
export function authorisationOf({ statement, approval, owners, since }: AuthorisedRequest): Authorisation {
  if (approval === null || owners === null || since === null) {
    return { level: 'coordinator-attested', statement, passkey: null }
  }
  const { credential, authenticatorData, clientDataJSON, signature, validUntil, salt } = approval
  return {
    level: 'passkey-verified',
    statement,
    passkey: { credential, authenticatorData, clientDataJSON, signature, validUntil, salt, since, owners },
  }
}
