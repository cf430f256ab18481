import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fromHex, type Hex, type UnixSeconds } from '@perigee/core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestWorld, nowSeconds, randomHex, type TestWorld } from '../../enclave/testing/createTestWorld.js'
import { createSnp } from '../../core/receipt/testing/simulatedWorld.js'
import { createCollateralFolder } from './createCollateralFolder.js'
import { createKdsSource } from './sources/createKdsSource.js'
import { createRevocationLists } from './createRevocationLists.js'

let world: TestWorld
let clock: UnixSeconds
let served: Hex | null
let asked: string[]
let problems: unknown[]
const day = 86_400
const kds = createServer((request, response) => {
  asked.push(request.url ?? '')
  if (served === null) return void response.writeHead(503).end()
  response.writeHead(200).end(Buffer.from(fromHex(served)))
})

beforeAll(async () => {
  world = await createTestWorld()
  await new Promise<void>((resolve) => kds.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  world.remove()
  kds.closeAllConnections()
  await new Promise((resolve) => kds.close(resolve))
})
beforeEach(() => {
  served = world.snp.crl
  clock = nowSeconds()
  asked = []
  problems = []
})

const lists = (folder?: string) =>
  createRevocationLists({
    source: createKdsSource(`http://127.0.0.1:${(kds.address() as AddressInfo).port}/`),
    roots: [fromHex(world.snp.root)],
    now: () => clock,
    onProblem: (error) => problems.push(error),
    ...(folder !== undefined && { store: createCollateralFolder(join(world.dir, folder)) }),
  })
const chain = () => ({ vek: world.snp.vek, intermediate: world.snp.intermediate })
/** Serial numbers in core/receipt/testing/simulatedWorld.ts. */
const [arkSerial, askSerial] = [1, 2]

test('a chain that is on no list passes, and the list is fetched once', async () => {
  const revocation = lists()
  await Promise.all([revocation.requireNotRevoked(chain()), revocation.requireNotRevoked(chain())])
  await revocation.requireNotRevoked(chain())
  expect(asked).toEqual(['/vcek/v1/Milan/crl'])
})

test.each([
  ['intermediate', askSerial],
  ['root', arkSerial],
])('a revoked %s is refused', async (_, serial) => {
  served = await world.snp.revoking([serial as number])
  await expect(lists().requireNotRevoked(chain())).rejects.toMatchObject({ code: 'vek_revoked' })
})

test('a revocation takes effect at the next refresh', async () => {
  const revocation = lists()
  await revocation.requireNotRevoked(chain())
  served = await world.snp.revoking([askSerial as number])
  clock += 7 * 3600
  await revocation.keepFresh()
  await expect(revocation.requireNotRevoked(chain())).rejects.toMatchObject({ code: 'vek_revoked' })
})

test('a list that could not be refreshed for a day stops signing, also after a restart', async () => {
  await lists('amd').requireNotRevoked(chain())
  served = null
  clock += day - 1
  await expect(lists('amd').requireNotRevoked(chain())).resolves.toBeUndefined()
  expect(problems).toMatchObject([{ code: 'collateral_unavailable' }])
  clock += 1
  await expect(lists('amd').requireNotRevoked(chain())).rejects.toMatchObject({ code: 'collateral_stale' })
  served = world.snp.crl
  await expect(lists('amd').requireNotRevoked(chain())).resolves.toBeUndefined()
})

test('a source that is down from the start leaves collateral_unavailable', async () => {
  served = null
  await expect(lists().requireNotRevoked(chain())).rejects.toMatchObject({ code: 'collateral_unavailable' })
})

test('an older list does not take a revocation back, also not by a restart', async () => {
  served = await world.snp.revoking([askSerial as number])
  await expect(lists('rollback').requireNotRevoked(chain())).rejects.toMatchObject({ code: 'vek_revoked' })
  served = world.snp.crl
  await expect(lists('rollback').requireNotRevoked(chain())).rejects.toMatchObject({ code: 'vek_revoked' })
  expect(problems).toMatchObject([{ code: 'collateral_rollback' }])
})

test('a list of another root, an expired one and one with a changed byte are refused', async () => {
  served = (await createSnp(clock, [randomHex(32), randomHex(32)])).crl
  await expect(lists().requireNotRevoked(chain())).rejects.toMatchObject({ code: 'crl_invalid' })
  served = `0x${world.snp.crl.slice(2, -2)}${world.snp.crl.endsWith('00') ? '01' : '00'}`
  await expect(lists().requireNotRevoked(chain())).rejects.toMatchObject({ code: 'crl_invalid' })
  served = world.snp.crl
  clock += 366 * day
  await expect(lists().requireNotRevoked(chain())).rejects.toMatchObject({ code: 'collateral_stale' })
})

test('a chain of an unknown root is refused before any list is asked for', async () => {
  const other = await createSnp(clock, [randomHex(32), randomHex(32)])
  await expect(lists().requireNotRevoked(other)).rejects.toMatchObject({ code: 'vek_chain' })
  expect(asked).toEqual([])
})
