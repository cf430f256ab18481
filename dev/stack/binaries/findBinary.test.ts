import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silent } from '../progress.js'
import { BinaryMissing, findBinary, type BinarySpec } from './findBinary.js'
import { verifyDigest } from './verifyDigest.js'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'perigee-binaries-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

async function program(folder: string, name: string, version: string): Promise<string> {
  await mkdir(join(dir, folder), { recursive: true })
  const file = join(dir, folder, name)
  await writeFile(file, `#!/bin/sh\necho tool version ${version}\n`)
  await chmod(file, 0o755)
  return file
}
const spec = (fetches: BinarySpec['fetches'] = []): BinarySpec => ({
  title: 'Tool',
  version: '2.0.0',
  oldest: '1.5.0',
  command: 'tool',
  variable: 'TOOL_PATH',
  versionArgs: ['--version'],
  howToInstall: 'Install it',
  fetches,
})
const env = (more: NodeJS.ProcessEnv = {}) => ({ PATH: join(dir, 'path'), XDG_CACHE_HOME: join(dir, 'cache'), ...more })

test('the variable comes first, then PATH, then the cache', async () => {
  const cached = await program('cache/perigee', 'tool-2.0.0', '2.0.0')
  await expect(findBinary(spec(), env(), silent)).resolves.toBe(cached)
  const onPath = await program('path', 'tool', '1.10.0')
  await expect(findBinary(spec(), env(), silent)).resolves.toBe(onPath)
  const named = await program('elsewhere', 'mine', '0.1.0')
  await expect(findBinary(spec(), env({ TOOL_PATH: named }), silent)).resolves.toBe(named)
})

test('a program on PATH that is too old is passed over', async () => {
  await program('path', 'tool', '1.4.9')
  const cached = await program('cache/perigee', 'tool-2.0.0', '2.0.0')
  await expect(findBinary(spec(), env(), silent)).resolves.toBe(cached)
})

test('a variable that names no working program is an error, not a reason to look elsewhere', async () => {
  await program('path', 'tool', '2.0.0')
  await expect(findBinary(spec(), env({ TOOL_PATH: join(dir, 'absent') }), silent)).rejects.toThrow(BinaryMissing)
})

test('what is fetched goes into the cache, and a way that fails is followed by the next', async () => {
  const first = { doing: 'downloading', into: () => Promise.reject(new Error('no network')) }
  const second = {
    doing: 'building',
    into: async (_scratch: string, target: string) => {
      await writeFile(target, '#!/bin/sh\necho 2.0.0\n')
      await chmod(target, 0o755)
    },
  }
  const found = await findBinary(spec([first, second]), env(), silent)
  expect(found).toBe(join(dir, 'cache', 'perigee', 'tool-2.0.0'))
})

test('when nothing works, one line says what was tried and how to provide it', async () => {
  const broken = { doing: 'downloading', into: () => Promise.reject(new Error('no network')) }
  const failure = findBinary(spec([broken]), env(), silent)
  await expect(failure).rejects.toThrow(/^Tool 2.0.0 .*downloading: no network.*TOOL_PATH\.$/)
})

test('bytes that are not the pinned ones are refused', async () => {
  const file = join(dir, 'bytes')
  await writeFile(file, 'perigee')
  const wrong = '00'.repeat(32)
  await expect(verifyDigest(file, 'sha256', wrong)).rejects.toThrow('pinned')
})
