import { randomBytes } from 'node:crypto'
import type { DataSource } from 'typeorm'
import { toHex, type Hex } from '@perigee/core'
import { subjectCommitment } from '@perigee/core/authorisation'
import { UserEntity, type User } from '../entities/User.js'

export type Identity = Pick<User, 'issuer' | 'subject' | 'email' | 'name'>

/** The user with this issuer and subject, made on first sign-in. One statement, so two first sign-ins make one user. */
export async function recordSignIn(database: DataSource, identity: Identity, now: Date): Promise<User> {
  const { issuer, subject } = identity
  await database
    .createQueryBuilder()
    .insert()
    .into(UserEntity)
    .values({ ...identity, pepper: toHex(randomBytes(32)), createdAt: now, lastLoginAt: now })
    .orUpdate(['email', 'name', 'last_login_at'], ['issuer', 'subject'])
    .execute()
  return database.getRepository(UserEntity).findOneByOrFail({ issuer, subject })
}

/** How statements name this user; null when there is none. */
export async function findSubject(database: DataSource, id: string): Promise<Hex | null> {
  const user = await database.getRepository(UserEntity).findOneBy({ id })
  return user && subjectCommitment(user.issuer, user.subject, user.pepper)
}

export function userExists(database: DataSource, id: string): Promise<boolean> {
  return database.getRepository(UserEntity).existsBy({ id })
}
