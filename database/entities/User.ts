import type { Hex } from '@perigee/core'
import { date, nullable, of, ownId, table, text, type RowOf } from './columns.js'

/** A person, known by issuer and subject. The e-mail address may change hands, so it identifies nobody. */
export const UserEntity = table({
  name: 'User',
  tableName: 'users',
  columns: {
    id: ownId,
    issuer: text,
    subject: text,
    email: text,
    name: nullable(text),
    /** A copy of the wallet's `keyId`, for those who look for it at the user. Signing reads the wallet's own. */
    kmsKeyId: nullable(text),
    /** 32 random bytes: with them, issuer and subject become the name that statements and sealed keys use. */
    pepper: of<Hex>(text),
    createdAt: date,
    lastLoginAt: date,
  },
  uniques: [{ columns: ['issuer', 'subject'] }],
  checks: [{ name: 'users_pepper_check', expression: `pepper ~ '^0x[0-9a-f]{64}$'` }],
})
export type User = RowOf<typeof UserEntity>
