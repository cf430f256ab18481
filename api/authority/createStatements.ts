import { createHash } from 'node:crypto'
import { fromHex, toHex, type Hex } from '@perigee/core'
import {
  encodeStatement,
  hashOf,
  maxStatementSeconds,
  ownersHash,
  zero32,
  zeroAddress,
  type OwnersApproval,
  type OwnersRecord,
  type PasskeyApproval,
  type Statement,
} from '@perigee/core/authorisation'
import type { Stated } from '@perigee/core/workflow'
import type { CoordinatorAttestor, RequestKey } from '../../clients/snp/index.js'

interface OwnersChange {
  owners: OwnersRecord
  approval: OwnersApproval
}

/**
 * Says to the enclave who asks for what. Every `subject` comes from the session's sealed cookie: a statement about a
 * person is made only while that person is here.
 */
export interface Statements {
  createKey(subject: Hex, owned: OwnersChange | null): Promise<Stated>
  signTransaction(
    subject: Hex,
    request: { address: Hex; digest: Hex; chainId: number; approval: PasskeyApproval | null; expiresAtMs: number },
  ): Promise<Stated>
  changeOwners(subject: Hex, address: Hex, change: OwnersChange): Promise<Stated>
  resealKey(subject: Hex, address: Hex, sealedKey: Hex): Promise<Stated>
}

/** Signs with the key that the attestation in use binds, and sends that attestation along. */
export function createStatements(
  attestor: Pick<CoordinatorAttestor, 'current'>,
  key: RequestKey,
  now: () => number = Date.now,
): Statements {
  async function state(about: Omit<Statement, 'issuedAt' | 'expiresAt'>, expiresAtMs?: number): Promise<Stated> {
    const { simulated: _, measurement: __, ...coordinator } = await attestor.current()
    const issuedAt = Math.floor(now() / 1000)
    const expiresAt = expiresAtMs === undefined ? issuedAt + maxStatementSeconds : Math.ceil(expiresAtMs / 1000)
    const statement = { ...about, issuedAt, expiresAt }
    return { coordinator, statement: { ...statement, signature: key.sign(encodeStatement(statement)) } }
  }
  const hashOrZero = (approval: OwnersApproval | PasskeyApproval | null) => (approval ? hashOf(approval) : zero32)

  return {
    createKey: (subject, owned) =>
      state({
        kind: 'create-key',
        subject,
        address: zeroAddress,
        digest: ownersHash(owned?.owners ?? null),
        chainId: 0,
        authorisationHash: hashOrZero(owned?.approval ?? null),
      }),
    signTransaction: (subject, { address, digest, chainId, approval, expiresAtMs }) =>
      state(
        {
          kind: 'sign-transaction',
          subject,
          address,
          digest,
          chainId,
          authorisationHash: hashOrZero(approval),
        },
        expiresAtMs,
      ),
    changeOwners: (subject, address, { owners, approval }) =>
      state({
        kind: 'change-owners',
        subject,
        address,
        digest: ownersHash(owners),
        chainId: 0,
        authorisationHash: hashOf(approval),
      }),
    resealKey: (subject, address, sealedKey) =>
      state({
        kind: 'reseal-key',
        subject,
        address,
        digest: toHex(createHash('sha256').update(fromHex(sealedKey)).digest()),
        chainId: 0,
        authorisationHash: zero32,
      }),
  }
}
