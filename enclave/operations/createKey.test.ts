import { ownersHash, type OwnersApproval, type OwnersRecord } from '@perigee/core/authorisation'
import type { CreateKeyRequest } from '@perigee/core/enclave'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSoftPasskey, createSoftRecovery } from '../../core/authorisation/testing/createSoftPasskey.js'
import { approveOwners, ownersOf } from '../../core/authorisation/testing/softOwners.js'
import { codeOf, createEnclave } from '../testing/createEnclave.js'
import { createTestWorld, nowSeconds, randomHex, type TestWorld } from '../testing/createTestWorld.js'
import { createKeyRequest } from '../testing/requests.js'

const [phone, laptop, thief] = [createSoftPasskey(), createSoftPasskey(), createSoftPasskey()]
const recovery = createSoftRecovery()
let world: TestWorld
let enclave: ReturnType<typeof createEnclave>
beforeAll(async () => {
  world = await createTestWorld()
  enclave = createEnclave(world)
})
afterAll(() => world.remove())

async function refusal(work: () => Promise<unknown>) {
  const before = enclave.uses.sealingKey
  const code = await codeOf(work())
  return { code, opened: enclave.uses.sealingKey - before }
}
const unopened = (code: string) => ({ code, opened: 0 })

describe('a key with owners', () => {
  const create = (
    change: (request: CreateKeyRequest) => { owners: OwnersRecord | null; approval: OwnersApproval | null },
  ) => {
    const request = createKeyRequest(world, { passkeys: [phone, laptop] })
    const { owners, approval } = change(request)
    const { subject } = request.statement
    const statement = world.coordinator.state({ kind: 'create-key', subject, digest: ownersHash(owners), approval })
    return refusal(() => enclave.createKey({ ...request, owners, approval, statement }))
  }
  const first = ownersOf([phone, laptop])

  test('is made when each of them signed the record', async () => {
    expect(await create((request) => request as never)).toMatchObject({ code: 'accepted' })
  })

  test.each<[string, string, Parameters<typeof create>[0]]>([
    ['nobody approved', 'authorisation_required', ({ owners }) => ({ owners, approval: null })],
    [
      'one of them did not sign',
      'authorisation_required',
      ({ owners }) => ({ owners, approval: approveOwners(first, { passkeys: [phone] }) }),
    ],
    [
      'the operator’s passkey is beside the user’s',
      'authorisation_required',
      () => ({
        owners: ownersOf([phone, thief]),
        approval: approveOwners(ownersOf([phone, thief]), { passkeys: [phone] }),
      }),
    ],
    [
      'somebody else signed too',
      'authorisation_invalid',
      ({ owners }) => ({ owners, approval: approveOwners(first, { passkeys: [phone, laptop, thief] }) }),
    ],
    [
      'they signed another record',
      'authorisation_invalid',
      ({ owners }) => ({
        owners,
        approval: approveOwners(ownersOf([phone, laptop], { recovery }), { passkeys: [phone, laptop] }),
      }),
    ],
    [
      'they signed for another wallet',
      'authorisation_invalid',
      ({ owners }) => ({
        owners,
        approval: approveOwners(first, { passkeys: [phone, laptop] }, { address: randomHex(20) }),
      }),
    ],
    [
      'they signed too long ago',
      'authorisation_expired',
      ({ owners }) => ({
        owners,
        approval: approveOwners(first, { passkeys: [phone, laptop] }, { validUntil: nowSeconds() - 1 }),
      }),
    ],
    [
      'the record is not a first one',
      'owners_invalid',
      ({ approval }) => ({ owners: { ...first, sequence: 1 }, approval }),
    ],
    [
      'the record follows another',
      'owners_invalid',
      ({ approval }) => ({ owners: { ...first, previous: randomHex(32) }, approval }),
    ],
    ['there is an approval and no owner', 'authorisation_invalid', ({ approval }) => ({ owners: null, approval })],
  ])('is not made when %s: %s', async (_, code, change) => {
    expect(await create(change)).toEqual(unopened(code))
  })

  test('is not made on a statement about others, or by an old statement of another kind', async () => {
    const request = createKeyRequest(world, { passkeys: [phone] })
    const { subject } = request.statement
    const about = (digest = randomHex(32)) =>
      world.coordinator.state({ kind: 'create-key', subject, digest, approval: request.approval })
    expect(await refusal(() => enclave.createKey({ ...request, statement: about() }))).toEqual(
      unopened('statement_invalid'),
    )
    const other = world.coordinator.state({
      kind: 'change-owners',
      subject,
      digest: ownersHash(request.owners),
      approval: request.approval,
    })
    expect(await refusal(() => enclave.createKey({ ...request, statement: other }))).toEqual(
      unopened('statement_invalid'),
    )
  })

  test('is one person’s, for the owners of its request: its sample makes no key for others', async () => {
    const request = createKeyRequest(world)
    await enclave.createKey(request)
    const other = { ...createKeyRequest(world), entropy: request.entropy }
    expect(await refusal(() => enclave.createKey(other))).toEqual(unopened('entropy_reused'))
    const { subject } = request.statement
    const owned = { ...createKeyRequest(world, { passkeys: [phone], subject }), entropy: request.entropy }
    expect(await refusal(() => enclave.createKey(owned))).toEqual(unopened('entropy_reused'))
  })
})
