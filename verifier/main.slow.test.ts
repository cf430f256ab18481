import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mintReceipt } from '../core/receipt/testing/mintReceipt.js'
import { createSimulatedWorld } from '../core/receipt/testing/simulatedWorld.js'
import { quoteArguments, tdxCases } from './testing/fixtures.js'
import { printBundle } from '@perigee/core/receipt/gather'
import { stepNames } from '@perigee/core/receipt/verify'

const program = ['--import', import.meta.resolve('tsx'), resolve(import.meta.dirname, 'main.ts')]
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perigee-verifier-'))
  const { evidence, anchors } = mintReceipt(await createSimulatedWorld(Math.floor(Date.now() / 1000) - 100))
  await writeFile(join(folder, 'bundle.json'), printBundle({ evidence, anchors }))
  await writeFile(
    join(folder, 'noise'),
    Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256),
  )
})
afterAll(() => rm(folder, { recursive: true }))

interface Result {
  exit: number
  stdout: string
  stderr: string
}
const start = (...args: string[]) =>
  new Promise<Result>((done) => {
    execFile(process.execPath, [...program, ...args], { cwd: folder }, (error, stdout, stderr) =>
      done({ exit: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })

// The whole program, as a reader starts it. Its decisions are tested in process; these are its edges.
describe('the program', { timeout: 120_000 }, () => {
  test('explains itself', async () => {
    const { exit, stdout, stderr } = await start('--help')
    expect([exit, stderr]).toEqual([0, ''])
    for (const step of stepNames) expect(stdout).toContain(step)
    for (const flag of ['--json', '--explain', '--offline', '--save-bundle', '--at', '--skip', '--gateway', '--rpc']) {
      expect(stdout).toContain(flag)
    }
  })

  test('verifies a bundle offline and exits with 0', async () => {
    const { exit, stdout } = await start('bundle.json', '--offline')
    expect(stdout).toMatch(/VERIFIED\. SIMULATED/)
    expect(exit).toBe(0)
  })

  test('exits with 1 and a code for noise, without a stack', async () => {
    const { exit, stdout, stderr } = await start('noise', '--json', '--no-stack')
    expect(JSON.parse(stdout)).toMatchObject({ verified: false })
    expect(exit).toBe(1)
    expect(stdout + stderr).not.toMatch(/\n\s+at /)
  })

  test('exits with 2 for wrong usage', async () => {
    for (const args of [[], ['x', '--wrong-flag']]) {
      const { exit, stderr } = await start(...args)
      expect([args, exit]).toEqual([args, 2])
      expect(stderr).toMatch(/--help/)
      expect(stderr).not.toMatch(/\n\s+at /)
    }
  })

  test.skipIf(tdxCases().length === 0)('checks real quotes', async () => {
    const [good, late] = tdxCases()
    const accepted = await start(...quoteArguments(good!), '--json')
    expect([accepted.exit, JSON.parse(accepted.stdout).tcbStatus]).toEqual([0, 'UpToDate'])
    const refused = await start(...quoteArguments(late!), '--json')
    expect([refused.exit, JSON.parse(refused.stdout).code]).toEqual([1, 'collateral_expired'])
  })
})
