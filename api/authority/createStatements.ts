import type { Hex } from '@perigee/core'
import {
  encodeStatement,
  hashOf,
  maxStatementSeconds,
  zero32,
  type PasskeyApproval,
  type Signable,
  type Statement,
} from '@perigee/core/authorisation'
import type { Stated } from '@perigee/core/workflow'
import type { CoordinatorAttestor } from '../../clients/snp/createCoordinatorAttestor.js'
import type { RequestKey } from '../../clients/snp/createRequestKey.js'
import { createKeyStatements } from './createKeyStatements.js'

interface ToSign extends Signable {
  address: Hex
  approval: PasskeyApproval | null
  expiresAtMs: number
}

/**
 * Tells the enclave who asks for what. Every `subject` comes from the session's sealed cookie: a statement about a
 * person is made only during that person's own request. Signs with the key that the current attestation binds, and adds
 * that attestation.
 */
export function createStatements(
  attestor: Pick<CoordinatorAttestor, 'current'>,
  key: RequestKey,
  now: () => number = Date.now,
) {
  async function state(about: Omit<Statement, 'issuedAt' | 'expiresAt'>, expiresAtMs?: number): Promise<Stated> {
    const { simulated: _, measurement: __, ...coordinator } = await attestor.current()
    const issuedAt = Math.floor(now() / 1000)
    const expiresAt = expiresAtMs === undefined ? issuedAt + maxStatementSeconds : Math.ceil(expiresAtMs / 1000)
    const statement = { ...about, issuedAt, expiresAt }
    return { coordinator, statement: { ...statement, signature: key.sign(encodeStatement(statement)) } }
  }

  return {
    ...createKeyStatements(state),
    /** The person asks for the signature of a transaction or a message. */
    sign(subject: Hex, { kind, address, digest, chainId, approval, expiresAtMs }: ToSign) {
      const authorisationHash = approval ? hashOf(approval) : zero32
      return state({ kind: `sign-${kind}`, subject, address, digest, chainId, authorisationHash }, expiresAtMs)
    },
  }
}
export type Statements = ReturnType<typeof createStatements>
