import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mintReceipt, type Minted } from '../core/receipt/testing/mintReceipt.js'
import { createSimulatedWorld } from '../core/receipt/testing/simulatedWorld.js'
import { quoteArguments, tdxCases } from './testing/fixtures.js'
import { serveChain } from './testing/servers.js'
import { printBundle } from '@perigee/core/receipt/gather'
import { stepNames } from '@perigee/core/receipt/verify'

let folder: string
let program: string
let evidence: Minted['evidence']

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perigee-verifier-'))
  program = await install(folder)
  const minted = mintReceipt(await createSimulatedWorld(Math.floor(Date.now() / 1000) - 100))
  const { anchors } = minted
  evidence = minted.evidence
  await writeFile(join(folder, 'bundle.json'), printBundle({ evidence, anchors }))
  await writeFile(join(folder, 'trust.json'), JSON.stringify(anchors))
  await writeFile(
    join(folder, 'noise'),
    Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256),
  )
})
afterAll(() => rm(folder, { recursive: true }))

/** The package as a stranger gets it: packed, then installed in an empty folder with nothing else of this repository. */
async function install(app: string): Promise<string> {
  const run = promisify(execFile)
  const npm = (...args: string[]) => run('npm', [...args, '--silent'], { cwd: app })
  await run(process.execPath, [join(import.meta.dirname, 'build.mjs'), join(app, 'built')])
  const { stdout } = await npm('pack', join(app, 'built'))
  await writeFile(join(app, 'package.json'), '{}')
  await npm('install', '--offline', '--no-audit', '--no-fund', `./${stdout.trim().split('\n').at(-1)}`)
  return join(app, 'node_modules/.bin/perigee-verifier')
}

interface Result {
  exit: number
  stdout: string
  stderr: string
}
const start = (...args: string[]) =>
  new Promise<Result>((done) => {
    execFile(program, args, { cwd: folder }, (error, stdout, stderr) =>
      done({ exit: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })

// The whole program, as `npx @perigee/verifier` starts it. Its decisions are tested in process; these are its edges.
describe('the program', () => {
  test('explains itself', async () => {
    const { exit, stdout, stderr } = await start('--help')
    expect([exit, stderr]).toEqual([0, ''])
    for (const step of stepNames) expect(stdout).toContain(step)
    for (const flag of ['--json', '--explain', '--offline', '--save-bundle', '--at', '--skip', '--gateway', '--rpc']) {
      expect(stdout).toContain(flag)
    }
  })

  test('stands alone: one file, no dependencies, nothing run at installation', async () => {
    const installed = join(folder, 'node_modules/@perigee/verifier')
    expect((await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual(['@perigee'])
    expect((await readdir(installed)).sort()).toEqual(['LICENSE', 'README.md', 'package.json', 'verifier.mjs'])
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as object
    for (const key of ['private', 'scripts', 'dependencies']) expect(manifest).not.toHaveProperty(key)
  })

  test('exits with 3 for a bundle that holds only under its own trust anchors', async () => {
    const { exit, stdout } = await start('bundle.json', '--offline')
    expect(stdout).toMatch(/^trust .*the bundle itself/m)
    expect(stdout).not.toMatch(/^VERIFIED/m)
    expect(exit).toBe(3)
  })

  test('exits with 3 for a bundle offline: its chain data is not checked', async () => {
    const { exit, stdout } = await start('bundle.json', '--offline', '--trust', 'trust.json')
    expect(stdout).toMatch(/^NOT VERIFIED: what needs no network holds/m)
    expect(exit).toBe(3)
  })

  test('verifies a bundle with a node and exits with 0', async () => {
    const node = await serveChain([...evidence.events, ...evidence.birth.events], {
      releases: evidence.releases.announcements,
    })
    const { exit, stdout } = await start('bundle.json', '--rpc', node.url, '--trust', 'trust.json')
    await node.close()
    expect(stdout).toMatch(/^VERIFIED\. SIMULATED/m)
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
