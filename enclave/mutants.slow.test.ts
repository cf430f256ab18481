import { canonicalJson, fromHex, toHex, type Hex } from '@perigee/core'
import { ownersHash, type OwnersRecord, type PasskeyApproval } from '@perigee/core/authorisation'
import type { SignTransactionRequest } from '@perigee/core/enclave'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSoftPasskey, createSoftRecovery } from '../core/authorisation/testing/createSoftPasskey.js'
import { mutate } from '../core/tdx/testing/mutate.js'
import { createRandom, type Random } from '../tests/createRandom.js'
import { codeOf, createEnclave } from './testing/createEnclave.js'
import { createTestWorld, type TestWorld } from './testing/createTestWorld.js'
import { createKeyRequest, signRequest, walletOf, type TestWallet } from './testing/requests.js'

const passkeys = [createSoftPasskey(), createSoftPasskey()]
let world: TestWorld
let enclave: ReturnType<typeof createEnclave>
let wallet: TestWallet
beforeAll(async () => {
  world = await createTestWorld()
  enclave = createEnclave(world)
  const request = createKeyRequest(world, { passkeys, recovery: createSoftRecovery() })
  wallet = walletOf(request, await enclave.createKey(request))
})
afterAll(() => world.remove())

/** Codes by which a mutant may be refused. Any other, `internal_error` above all, would be a fault of ours. */
const refusals = [
  'invalid_request',
  'statement_invalid',
  'statement_expired',
  'authorisation_invalid',
  'authorisation_expired',
]

type Mutate = (request: SignTransactionRequest, random: Random) => object | null

/** Makes `count` mutants of good requests: each is refused, and no key was opened for any of them. */
async function refuseAll(count: number, seed: number, mutant: Mutate): Promise<Record<string, number>> {
  const random = createRandom(seed)
  const codes: Record<string, number> = {}
  const before = enclave.uses.sealingKey
  for (let made = 0; made < count;) {
    const request = signRequest(wallet, world, { passkey: random.pick(passkeys) })
    // One genuine request serves for many mutants, because making it takes longer than refusing it.
    for (let i = 0; i < 20 && made < count; i++) {
      const changed = mutant(request, random)
      if (changed === null) continue
      made++
      const code = await codeOf(enclave.signTransaction(changed))
      codes[code] = (codes[code] ?? 0) + 1
      if (!refusals.includes(code)) expect.fail(`mutant ${made} of seed ${seed}: ${code} ${JSON.stringify(changed)}`)
    }
  }
  expect(enclave.uses.sealingKey).toBe(before)
  return codes
}

const mutateHex = (hex: Hex, random: Random) => toHex(mutate(fromHex(hex), random))
function mutateText(text: string, random: Random): string {
  const changed = new TextDecoder().decode(mutate(new TextEncoder().encode(text), random))
  return changed === text ? mutateText(text, random) : changed
}
const mutateNumber = (value: number, random: Random) => value + random.pick([-600, -60, -1, 1, 60, 600])

/** One member of a flat object changed. */
function mutateMember<T extends object>(object: T, random: Random): T {
  const name = random.pick(Object.keys(object)) as keyof T
  const value: unknown = object[name]
  const changed =
    typeof value === 'number'
      ? mutateNumber(value, random)
      : /^0x/.test(value as string)
        ? mutateHex(value as Hex, random)
        : mutateText(value as string, random)
  return { ...object, [name]: changed }
}

test('2,000 mutants of statements are refused', async () => {
  const codes = await refuseAll(2_000, 1, (request, random) => ({
    ...request,
    statement: mutateMember(request.statement, random),
  }))
  expect(codes.statement_invalid).toBeGreaterThan(500)
})

test('3,000 mutants of assertions, of which the coordinator truly states each, are refused', async () => {
  const codes = await refuseAll(3_000, 2, (request, random) => {
    const approval = mutateMember(request.approval as PasskeyApproval, random)
    const { kind, subject, address, digest, chainId } = request.statement
    return {
      ...request,
      approval,
      statement: world.coordinator.state({ kind, subject, address, digest, chainId, approval }),
    }
  })
  expect(codes.authorisation_invalid).toBeGreaterThan(1_500)
})

test('1,500 mutants of owners records are refused', async () => {
  const codes = await refuseAll(1_500, 3, (request, random) => {
    const owners = parsed(mutateText(canonicalJson(request.owners as never), random))
    return owners === null || hashed(owners) === ownersHash(request.owners) ? null : { ...request, owners }
  })
  expect(codes.authorisation_invalid).toBeGreaterThan(50)
})

function parsed(text: string): OwnersRecord | null {
  try {
    return JSON.parse(text) as OwnersRecord
  } catch {
    return null
  }
}
/** Two texts may be one record: `1` and `1.0`. */
function hashed(owners: OwnersRecord): Hex | null {
  try {
    return ownersHash(owners)
  } catch {
    return null
  }
}
