import { EntitySchema } from 'typeorm'
import type { Hex } from '@perigee/core'
import { date, nullable, text } from './columns.js'

/** A person, known by issuer and subject. The e-mail address may change hands, so it identifies nobody. */
export interface User {
  id: string
  issuer: string
  subject: string
  email: string
  name: string | null
  /** A copy of the wallet's `keyId`, for those who look for it at the user. Signing reads the wallet's own. */
  kmsKeyId: string | null
  /** 32 random bytes: with them, issuer and subject become the name that statements and sealed keys use. */
  pepper: Hex
  createdAt: Date
  lastLoginAt: Date
}

export const UserEntity = new EntitySchema<User>({
  name: 'User',
  tableName: 'users',
  columns: {
    id: { type: 'uuid', primary: true, generated: 'uuid' },
    issuer: text,
    subject: text,
    email: text,
    name: nullable(text),
    kmsKeyId: nullable(text),
    pepper: text,
    createdAt: date,
    lastLoginAt: date,
  },
  uniques: [{ columns: ['issuer', 'subject'] }],
  checks: [{ name: 'users_pepper_check', expression: `pepper ~ '^0x[0-9a-f]{64}$'` }],
})
