import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { hostileCases } from './testing/hostileCases.js'
import { startHostileWorld, type HostileWorld } from './testing/hostileWorld.js'
import { jsonOf, runInProcess } from './testing/runInProcess.js'

let world: HostileWorld
let folder: string
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perigee-hostile-'))
  world = await startHostileWorld()
  await writeFile(join(folder, 'trust.json'), JSON.stringify(world.asked.anchors))
})
afterEach(() => world.beHonest())
afterAll(async () => {
  await world?.close()
  await rm(folder, { recursive: true })
})

const run = (target: string, ...more: string[]) => {
  const places = ['--gateway', world.gateway.url, '--rpc', world.node.url, '--trust', 'trust.json', '--timeout', '1']
  return runInProcess([target, ...places, ...more], folder, Math.floor(Date.now() / 1000))
}

test('the truth verifies', async () => {
  expect((await run(`${world.service.url}/proof/${world.proof.slug}`)).exit).toBe(0)
})

test.each(hostileCases)('a $who that $name: $outcome', async ({ who, lie, outcome }) => {
  world[who].tell(lie(world))
  const asked = await run(`${world.service.url}/proof/${world.proof.slug}`, '--json')
  expect(asked.stdout + asked.stderr).not.toMatch(controls)
  const { verified, code, failed = [] } = jsonOf(asked) as { verified: boolean; code?: string; failed?: string[] }
  expect({ verified, exit: asked.exit }).toEqual(outcome === 'verified' ? { verified: true, exit: 0 } : { verified: false, exit: 1 }) // prettier-ignore
  if (outcome !== 'verified') expect([code, ...failed]).toContain(outcome)
})

test.each(hostileCases.filter(({ name }) => name.includes('poison')))(
  'a $who that $name controls no terminal',
  async ({ who, lie }) => {
    world[who].tell(lie(world))
    const { exit, stdout, stderr } = await run(`${world.service.url}/proof/${world.proof.slug}`, '--explain')
    expect(exit).toBe(1)
    expect(stdout + stderr).not.toMatch(controls)
  },
)

test('a receipt with poison in every string controls no terminal', async () => {
  for (const more of [[], ['--json'], ['--explain']]) {
    const { exit, stdout, stderr } = await run(world.poisonedCid, ...more)
    expect(exit).toBe(1)
    expect(stdout + stderr).not.toMatch(controls)
    expect(stdout).toContain('onerror')
  }
})
