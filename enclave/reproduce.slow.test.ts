import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chownSync, cpSync, existsSync, lutimesSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { simulatedMeasurements } from '@perigee/core/simulation'
import { afterAll, expect, test } from 'vitest'
import { mintReceipt } from '../core/receipt/testing/mintReceipt.js'
import { createSimulatedWorld } from '../core/receipt/testing/simulatedWorld.js'

const { buildEnclave } = (await import(new URL('build.mjs', import.meta.url).href)) as {
  buildEnclave(outfile: string): Promise<{ sha256: string; inputs: string[] }>
}
const root = fileURLToPath(new URL('..', import.meta.url))
const dir = mkdtempSync(join(tmpdir(), 'perigee-reproduce-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

interface Builder {
  folder: string
  /** Owner of the files and of the build, where the test may choose it. */
  uid: number
  umask: string
  /** Of every file. */
  modified: Date
  env: Record<string, string>
}
const isRoot = process.getuid?.() === 0
const builders: Builder[] = [
  { folder: 'a', uid: 0, umask: '022', modified: new Date('2001-01-01'), env: { USER: 'root', LANG: 'C', TZ: 'UTC' } },
  {
    folder: 'Jane’s work/perigee (copy 2)',
    uid: 65_534,
    umask: '077',
    modified: new Date('2038-01-01'),
    env: { USER: 'jane', LANG: 'de_DE.UTF-8', TZ: 'Pacific/Auckland', SOURCE_DATE_EPOCH: '1', NODE_ENV: 'production' },
  },
]

/** All that a build reads: the files in the bundle, what says how to resolve them, and the bundler. */
function filesOf(inputs: string[]): string[] {
  const files = new Set(['package.json', 'tsconfig.json', 'enclave/build.mjs', 'enclave/appCompose.mjs'])
  for (const name of ['esbuild', '@esbuild', 'tiny-secp256k1']) files.add(`node_modules/${name}`)
  for (const file of inputs) {
    files.add(file)
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) files.add(`${folder}/package.json`)
  }
  return [...files].filter((file) => existsSync(join(root, file)))
}

/** A clone of the repository after `npm ci`, as far as the build needs it. */
function checkOut({ folder, uid, modified }: Builder, files: string[]): string {
  const clone = join(dir, folder)
  for (const file of files) cpSync(join(root, file), join(clone, file), { recursive: true, dereference: true })
  mkdirSync(join(clone, 'node_modules', '@perigee'))
  symlinkSync('../../core', join(clone, 'node_modules', '@perigee', 'core'))
  for (const path of ['.', ...readdirSync(clone, { recursive: true, encoding: 'utf8' })]) {
    const file = join(clone, path)
    if (isRoot && !path.endsWith('@perigee/core')) chownSync(file, uid, uid)
    lutimesSync(file, modified, modified)
  }
  return clone
}

function build(builder: Builder, files: string[], settings: object) {
  const clone = checkOut(builder, files)
  const file = join(clone, 'settings.json')
  writeFileSync(file, JSON.stringify(settings))
  chmodSync(file, 0o644)
  const run = (command: string) =>
    execFileSync('sh', ['-c', `umask ${builder.umask}; ${command}`], {
      cwd: clone,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: clone, ...builder.env },
      ...(isRoot && { uid: builder.uid, gid: builder.uid }),
    })
  const printed = run('npm run --silent build:enclave').trim()
  const bundle = readFileSync(join(clone, 'enclave', 'dist', 'enclave.mjs'))
  const compose = run('node enclave/appCompose.mjs settings.json')
  return { printed, bundle, composeHash: createHash('sha256').update(compose).digest('hex') }
}

test('two people, in folders with other names, users and times, build the same bytes and the same app-compose', async () => {
  chmodSync(dir, 0o755)
  const here = join(dir, 'here.mjs')
  const { inputs, sha256 } = await buildEnclave(here)
  const files = filesOf(inputs)
  const settings = {
    image: `registry.example/perigee-enclave@sha256:${'ab'.repeat(32)}`,
    chainIds: [1],
    satelliteKeys: {},
    keyProviderId: '30'.repeat(91),
    releaseKey: `0x${'07'.repeat(32)}`,
    minimumRelease: 1,
    clientCa: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  }
  const [first, second] = builders.map((builder) => build(builder, files, settings))
  expect(second!.bundle.equals(first!.bundle)).toBe(true)
  expect(second!.composeHash).toBe(first!.composeHash)
  for (const { printed, bundle } of [first!, second!]) {
    expect(printed).toBe(`0x${sha256}`)
    expect(createHash('sha256').update(bundle).digest('hex')).toBe(sha256)
  }
})

const python = spawnSync('python3', ['--version']).status === 0
test.skipIf(!python)(
  'the Python of docs/reproduce.md replays the log of a receipt, and refuses another log',
  async () => {
    const [, script = ''] = /```python\n(.+?)```/s.exec(readFileSync(join(root, 'docs', 'reproduce.md'), 'utf8')) ?? []
    const { receipt } = mintReceipt(await createSimulatedWorld())
    const replay = () => {
      writeFileSync(join(dir, 'receipt.json'), JSON.stringify(receipt))
      return spawnSync('python3', ['-c', script], { cwd: dir, encoding: 'utf8' })
    }
    const { mrTd, rtmr0, rtmr1, rtmr2 } = simulatedMeasurements
    expect(replay().stdout).toBe(`mrTd ${mrTd}\nrtmr0 ${rtmr0}\nrtmr1 ${rtmr1}\nrtmr2 ${rtmr2}\n`)
    receipt.signer.runtimeEvents.pop()
    expect(replay().status).not.toBe(0)
  },
)
