import { expect, test } from 'vitest'
import type { Hex } from '@perigee/core'
import { hashOf, ownersHash, verifyStatement, zero32, zeroAddress, type Stated } from '@perigee/core/authorisation'
import { createRequestKey } from '../../clients/snp/createRequestKey.js'
import { createSoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js'
import { approveOwners, ownersOf } from '../../core/authorisation/testing/softOwners.js'
import { uncheckedRequest } from '../../tests/rigs/uncheckedRequest.js'
import { createStatements } from './createStatements.js'

const key = createRequestKey()
const now = 1_800_000_000
const { coordinator } = uncheckedRequest()
const attestation = { ...coordinator, simulated: true, measurement: `0x${'00'.repeat(48)}` as const }
const statements = createStatements({ current: () => Promise.resolve(attestation) }, key, () => now * 1000)
const subject: Hex = `0x${'5b'.repeat(32)}`
const address: Hex = `0x${'11'.repeat(20)}`
const digest: Hex = `0x${'22'.repeat(32)}`

test('each statement says exactly what is asked for, until when, and comes with the attestation in use', async () => {
  const passkeys = [createSoftPasskey()]
  const owners = ownersOf(passkeys)
  const owned = { owners, approval: approveOwners(owners, { passkeys }) }
  const approval = passkeys[0]!.approve({ kind: 'transaction', address, ownersHash: ownersHash(owners), chainId: 1, digest }) // prettier-ignore
  const expiresAtMs = now * 1000 + 15_001
  const signing = { kind: 'transaction', address, digest, chainId: 1, expiresAtMs } as const
  const cases: [Promise<Awaited<ReturnType<typeof statements.createKey>>>, Stated, number][] = [
    [
      statements.createKey(subject, null),
      { kind: 'create-key', address: zeroAddress, digest: zero32, chainId: 0, authorisationHash: zero32 },
      600,
    ],
    [
      statements.createKey(subject, owned),
      { kind: 'create-key', address: zeroAddress, digest: ownersHash(owners), chainId: 0, authorisationHash: hashOf(owned.approval) }, // prettier-ignore
      600,
    ],
    [
      statements.sign(subject, { ...signing, approval: null }),
      { kind: 'sign-transaction', address, digest, chainId: 1, authorisationHash: zero32 },
      16,
    ],
    [
      statements.sign(subject, { ...signing, approval }),
      { kind: 'sign-transaction', address, digest, chainId: 1, authorisationHash: hashOf(approval) },
      16,
    ],
    [
      statements.sign(subject, { ...signing, kind: 'message', chainId: 0, approval: null }),
      { kind: 'sign-message', address, digest, chainId: 0, authorisationHash: zero32 },
      16,
    ],
    [
      statements.sign(subject, { ...signing, kind: 'typed-data', chainId: 0, approval }),
      { kind: 'sign-typed-data', address, digest, chainId: 0, authorisationHash: hashOf(approval) },
      16,
    ],
    [
      statements.changeOwners(subject, address, owned),
      { kind: 'change-owners', address, digest: ownersHash(owners), chainId: 0, authorisationHash: hashOf(owned.approval) }, // prettier-ignore
      600,
    ],
  ]
  for (const [stated, about, lifeSeconds] of cases) {
    const { statement, coordinator: sent } = await stated
    await verifyStatement(statement, about, key.publicKey, now)
    expect(statement).toMatchObject({ subject, issuedAt: now, expiresAt: now + lifeSeconds })
    expect(sent).toEqual(coordinator) // as it goes into the receipt, and nothing more
    await expect(verifyStatement(statement, about, createRequestKey().publicKey, now)).rejects.toMatchObject({
      code: 'statement_invalid',
    })
  }
})
