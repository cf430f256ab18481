import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDstackPlatform } from './platforms/dstackPlatform.js'
import { codeOf, createEnclave } from './testing/createEnclave.js'
import { createTestWorld, type TestWorld } from './testing/createTestWorld.js'
import { createKeyRequest, resealKeyRequest, signRequest, walletOf } from './testing/requests.js'
import { serveGuestAgent, type GuestAgentOptions } from './testing/serveGuestAgent.js'

/* Rehearsals for docs/operations.md: upgrades, and a key service that is gone or restored. */

let world: TestWorld
beforeAll(async () => (world = await createTestWorld()))
afterAll(() => world.remove())

const build = (composeHash: string) => [{ event: 'compose-hash', payload: composeHash.repeat(32) }]
let count = 0
/** A machine whose guest agent has its keys from a key service with this root. */
async function bootMachine(options: Partial<GuestAgentOptions> = {}, versions: number[] = [1]) {
  const socket = join(world.dir, `machine-${count++}.sock`)
  const agent = await serveGuestAgent({ socket, keys: world.tdx.quoteKeys, events: build('11'), ...options })
  const platform = await openDstackPlatform(socket, versions)
  return { agent, socket, ...createEnclave(world, { platform }) }
}
type Machine = Awaited<ReturnType<typeof bootMachine>>

async function walletOn(machine: Machine) {
  const request = createKeyRequest(world)
  return walletOf(request, await machine.createKey(request))
}
const signs = (machine: Machine, wallet: Awaited<ReturnType<typeof walletOn>>) =>
  codeOf(machine.signTransaction(signRequest(wallet, world)))

test('a new build of the same application opens the old build’s keys; another application does not', async () => {
  const rootKey = randomBytes(32)
  const old = await bootMachine({ rootKey })
  const wallet = await walletOn(old)
  const upgraded = await bootMachine({ rootKey, events: build('22') })
  expect(await signs(upgraded, wallet)).toBe('accepted')
  const foreign = await bootMachine({ rootKey, appId: 'cd'.repeat(20) })
  expect(await signs(foreign, wallet)).toBe('sealed_key_invalid')
  for (const { agent } of [old, upgraded, foreign]) await agent.close()
})

test('a build that rotates the sealing key opens old keys, seals them again, and may then forget the old version', async () => {
  const rootKey = randomBytes(32)
  const old = await bootMachine({ rootKey })
  const wallet = await walletOn(old)
  const rotating = await bootMachine({ rootKey, events: build('22') }, [2, 1])
  expect(await signs(rotating, wallet)).toBe('accepted')
  const { sealedKey } = await rotating.resealKey(resealKeyRequest(wallet, world))
  const rotated = await bootMachine({ rootKey, events: build('33') }, [2])
  expect(await signs(rotated, { ...wallet, sealedKey })).toBe('accepted')
  expect(await signs(rotated, wallet)).toBe('sealed_key_invalid')
  for (const { agent } of [old, rotating, rotated]) await agent.close()
})

test('without its key service an enclave does not start; one that runs goes on with the keys it has', async () => {
  const nowhere = join(world.dir, 'nobody.sock')
  await expect(openDstackPlatform(nowhere)).rejects.toThrow('nobody.sock')
  const refusing = join(world.dir, 'refusing.sock')
  const agent = await serveGuestAgent({
    socket: refusing,
    keys: world.tdx.quoteKeys,
    events: build('11'),
    tamper: (answer, path) => (path === '/GetKey' ? { error: 'the key service does not answer' } : answer),
  })
  await expect(openDstackPlatform(refusing)).rejects.toThrow('the guest agent gives no sealing key')
  await agent.close()

  let isGone = false
  const running = await bootMachine({
    tamper: (answer, path) => (isGone && path === '/GetKey' ? { error: 'the key service does not answer' } : answer),
  })
  const wallet = await walletOn(running)
  isGone = true
  expect(await signs(running, wallet)).toBe('accepted')
  expect(await signs(running, await walletOn(running))).toBe('accepted')
  await running.agent.close()
})

test('a key service restored with the same root gives the same keys; with another root nothing opens, and nothing is signed', async () => {
  const rootKey = randomBytes(32)
  const before = await bootMachine({ rootKey })
  const wallet = await walletOn(before)
  const { signature } = await before.signTransaction(signRequest(wallet, world))
  expect(signature).toBeDefined()
  await before.agent.close()
  const restored = await bootMachine({ rootKey })
  expect(await signs(restored, wallet)).toBe('accepted')
  const wrong = await bootMachine({ rootKey: randomBytes(32) })
  expect(await signs(wrong, wallet)).toBe('sealed_key_invalid')
  expect(await codeOf(wrong.resealKey(resealKeyRequest(wallet, world)))).toBe('sealed_key_invalid')
  for (const { agent } of [restored, wrong]) await agent.close()
})
