import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildProgram } from '../stack/programs/buildProgram.js'
import { openIdentity } from './identity.js'
import { openSequence } from './sequence.js'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satellite-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

test('the counter never goes back, however often it is reopened', () => {
  let last = 0n
  for (let opened = 0; opened < 20; opened++) {
    const next = openSequence(dir)
    for (let i = 0; i < opened * 40; i++) {
      const value = next()
      expect(value > last).toBe(true)
      last = value
    }
  }
})

test('a counter file that cannot be read is an error, not a new start', () => {
  writeFileSync(join(dir, 'satellite-sequence'), 'what')
  expect(() => openSequence(dir)).toThrow()
})

test('the key is made once, kept for the owner only, and found again', () => {
  const first = openIdentity(dir)
  expect(openIdentity(dir)).toMatchObject({ keyId: first.keyId, publicKey: first.publicKey })
  expect(statSync(join(dir, 'satellite-key.pem')).mode & 0o077).toBe(0)
})

async function start(): Promise<{ process: ChildProcess; url: string }> {
  const program = await buildProgram(new URL('./main.ts', import.meta.url))
  const env = { ...process.env, SATELLITE_PORT: '0', SATELLITE_DIR: dir }
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  const { port } = JSON.parse(String(line)) as { port: number }
  return { process: child, url: `http://127.0.0.1:${port}` }
}

async function sequenceOf(url: string): Promise<bigint> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/v1/samples`, { method: 'POST', headers, body: '{"count":1}' })
  const { samples } = (await answer.json()) as { samples: { sequence: string }[] }
  return BigInt(samples[0]!.sequence)
}

test('as a process of its own, killed and started again, it goes on with the same key and a higher sequence', async () => {
  let last = 0n
  const keys = new Set<unknown>()
  for (let round = 0; round < 2; round++) {
    const satellite = await start()
    for (let i = 0; i < 3; i++) {
      const sequence = await sequenceOf(satellite.url)
      expect(sequence > last).toBe(true)
      last = sequence
    }
    keys.add(((await (await fetch(`${satellite.url}/v1/key`)).json()) as { keyId: string }).keyId)
    satellite.process.kill('SIGKILL')
    await once(satellite.process, 'exit')
  }
  expect(keys.size).toBe(1)
})
