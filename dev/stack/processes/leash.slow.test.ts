import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildProgram } from '../programs/buildProgram.js'
import { openLeash } from './Leash.js'
import { waitUntil } from './waitUntil.js'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'perigee-leash-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** A program that starts a helper of its own, writes down both ids, and will not go when asked nicely. */
const stubborn = (file: string) => `
  process.on('SIGTERM', () => undefined)
  const helper = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'])
  require('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify([process.pid, helper.pid]))
  setInterval(() => 0, 1000)`

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
const readPids = async (file: string) => JSON.parse(await readFile(file, 'utf8').catch(() => '[]')) as number[]

test.each(['SIGKILL', 'SIGTERM'] as const)('nothing survives a supervisor that ends by %s', async (signal) => {
  const pidFile = join(dir, `pids-${signal}`)
  const command = { file: process.execPath, args: ['-e', stubborn(pidFile)], cwd: dir, env: {}, stopSignal: 'SIGTERM' }
  const options = { ...command, logFile: join(dir, 'log'), graceMs: 300 }
  const leashModule = pathToFileURL(await buildProgram(new URL('./Leash.ts', import.meta.url))).href
  const supervisor = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { openLeash } = await import('${leashModule}'); await openLeash().spawn(${JSON.stringify(options)})`,
    ],
    { cwd: new URL('.', import.meta.url), stdio: 'inherit' },
  )
  await waitUntil('the programs', async () => (await readPids(pidFile)).length === 2, { timeoutMs: 20_000 })
  const pids = await readPids(pidFile)
  expect(pids.every(isAlive)).toBe(true)
  supervisor.kill(signal)
  await waitUntil('their end', async () => !pids.some(isAlive), { timeoutMs: 10_000 })
})

test('a leash that is killed takes its programs along and says so', async () => {
  const pidFile = join(dir, 'pids-lost')
  let lost = false
  const leash = openLeash(() => (lost = true))
  const args = ['-e', stubborn(pidFile)]
  const rest = { cwd: dir, env: {}, logFile: join(dir, 'log'), stopSignal: 'SIGTERM', graceMs: 300 } as const
  const program = await leash.spawn({ file: process.execPath, args, ...rest })
  await waitUntil('the programs', async () => (await readPids(pidFile)).length === 2, { timeoutMs: 20_000 })
  const pids = await readPids(pidFile)
  process.kill(leash.pid, 'SIGKILL')
  await program.exited
  await waitUntil('their end', async () => !pids.some(isAlive), { timeoutMs: 10_000 })
  expect(lost).toBe(true)
})

test('a program that cannot be started is an error, not a silence', async () => {
  const leash = openLeash()
  const rest = { cwd: dir, env: {}, logFile: join(dir, 'log'), stopSignal: 'SIGTERM', graceMs: 300 } as const
  await expect(leash.spawn({ file: join(dir, 'absent'), args: [], ...rest })).rejects.toThrow('ENOENT')
  await leash.close()
})
