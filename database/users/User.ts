import { EntitySchema } from 'typeorm'

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
    issuer: { type: 'text' },
    subject: { type: 'text' },
    email: { type: 'text' },
    name: { type: 'text', nullable: true },
    kmsKeyId: { name: 'kms_key_id', type: 'text', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    lastLoginAt: { name: 'last_login_at', type: 'timestamptz' },
  },
  uniques: [{ name: 'users_issuer_subject', columns: ['issuer', 'subject'] }],
})
