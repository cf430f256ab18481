import type { DataSource } from 'typeorm'
import { UserEntity, type User } from './User.js'

export interface Identity {
  issuer: string
  subject: string
  email: string
  name: string | null
}

/** The user with this issuer and subject, made on first sign-in. One statement, so two first sign-ins make one user. */
export async function recordSignIn(database: DataSource, identity: Identity, now: Date): Promise<User> {
  const result = await database
    .createQueryBuilder()
    .insert()
    .into(UserEntity)
    .values({ ...identity, createdAt: now, lastLoginAt: now })
    .orUpdate(['email', 'name', 'last_login_at'], ['issuer', 'subject'])
    .returning('*')
    .execute()
  const id = (result.raw as { id: string }[])[0]?.id
  return database.getRepository(UserEntity).findOneByOrFail({ id: id as string })
}

export function userExists(database: DataSource, id: string): Promise<boolean> {
  return database.getRepository(UserEntity).existsBy({ id })
}
