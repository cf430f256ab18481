import { EntitySchema } from 'typeorm'
import { date, nullable, text } from './columns.js'

/** A person, known by issuer and subject. The e-mail address may change hands, so it identifies nobody. */
export interface User {
  id: string
  issuer: string
  subject: string
  email: string
  name: string | null
  kmsKeyId: string | null
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
    createdAt: date,
    lastLoginAt: date,
  },
  uniques: [{ columns: ['issuer', 'subject'] }],
})
