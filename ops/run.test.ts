import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { run } from './run.js'

const folder = mkdtempSync(join(tmpdir(), 'perigee-ops-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function ops(args: string[], env: Record<string, string> = {}): Promise<{ code: number; text: string }> {
  const lines: string[] = []
  const console = { print: (line: string) => lines.push(line), complain: (line: string) => lines.push(line) }
  return { code: await run(args, env, console, folder), text: lines.join('\n') }
}

const commands = ['stuck', 'retry', 'abandon', 'repin', 'publisher', 'reconcile', 'contradictions', 'replay', 'release', 'audit-log'] // prettier-ignore

test('help names every command, and is not an error', async () => {
  const { code, text } = await ops(['--help'])
  expect(code).toBe(0)
  for (const command of commands) expect(text).toContain(command)
})

test.each(commands)('%s explains itself', async (command) => {
  const { code, text } = await ops([command, '--help'])
  expect(code).toBe(0)
  expect(text).toContain(`Usage: npm run ops -- ${command}`)
})

test.each([
  [[]],
  [['frobnicate']],
  [['stuck', 'extra']],
  [['stuck', '--overdue', 'long']],
  [['reconcile', '--reason', 'x']],
  [['reconcile', '--only', 'everything']],
  [['retry']],
  [['retry', 'a-slug']],
  [['retry', 'a-slug', '--reason', 'because']],
  [['retry', 'a-slug', '--operator', 'ops-1']],
  [['retry', 'a-slug', '--all', '--operator', 'ops-1', '--reason', 'because']],
  [['retry', 'a-slug', '--operator', 'ops-1', '--reason', ' ']],
  [['retry', 'a-slug', '--operator', 'a name with spaces', '--reason', 'because']],
  [['retry', 'a-slug', '--code', 'pin_rejected', '--operator', 'ops-1', '--reason', 'because']],
  [['abandon', '--operator', 'ops-1', '--reason', 'because']],
  [['stuck', '--stack', 'no-such-file.json']],
  [['release']],
  [['audit-log']],
  [['audit-log', 'export']],
  [['audit-log', 'verify', 'extra']],
  [['release', 'withdraw', '0', '--operator', 'ops-1', '--reason', 'because']],
  [['release', 'announce', 'list.json', '--reason', 'because']],
  [['release', 'make']],
])('%j is wrong usage: exit code 2, and nothing is touched', async (args) => {
  expect((await ops(args)).code).toBe(2)
})

test('a slug may start with a dash', async () => {
  for (const command of ['retry', 'abandon']) {
    const args = [command, '-AeCgu6h_LxudEMUbJ0pQMtc', '--operator', 'ops-1', '--reason', 'because']
    expect((await ops(args)).text).toContain('DATABASE_URL') // so the slug was accepted
  }
})

test('the operator may come from the environment', async () => {
  const { code, text } = await ops(['retry', 'a-slug', '--reason', 'because'], { PERIGEE_OPERATOR: 'ops-1' })
  expect(code).toBe(2)
  expect(text).toContain('DATABASE_URL') // so the operator was accepted
})

test('an operator in the environment is checked like one on the command line', async () => {
  const { code } = await ops(['retry', 'a-slug', '--reason', 'because'], { PERIGEE_OPERATOR: 'a name with spaces' })
  expect(code).toBe(2)
})

test.each([
  ['without a time', ['recover']],
  ['with a time of another form', ['recover', '--since', 'yesterday']],
  [
    'that applies without an operator',
    ['recover', '--since', '2026-11-16T12:00:00Z', '--apply', '--reason', 'because'],
  ],
  ['that applies without a reason', ['recover', '--since', '2026-11-16T12:00:00Z', '--apply', '--operator', 'ops-1']],
])('a recovery %s is wrong usage', async (_, args) => {
  const { code, text } = await ops(args)
  expect(code).toBe(2)
  expect(text).not.toContain('DATABASE_URL') // refused before anything was read
})

test('the local stack of the folder is used unless the environment names a deployment', async () => {
  mkdirSync(join(folder, '.perigee'))
  const stack = { databaseUrl: 'postgresql://u:p@127.0.0.1:9/stack', temporalAddress: '127.0.0.1:9', chainId: 31337 }
  writeFileSync(join(folder, '.perigee/stack.json'), JSON.stringify(stack))
  writeFileSync(join(folder, '.perigee/secrets.json'), JSON.stringify({ codecKey: '7f'.repeat(32) }))
  const found = await ops(['stuck'])
  expect(found).toMatchObject({ code: 3, text: expect.stringContaining('stack.json') as string })
  const deployed = await ops(['stuck'], { TEMPORAL_ADDRESS: '127.0.0.1:9' })
  expect(deployed).toMatchObject({ code: 2, text: 'DATABASE_URL is missing' })
  rmSync(join(folder, '.perigee'), { recursive: true })
})

test('a database that is away is exit code 3, and its address is not shown', async () => {
  const { code, text } = await ops(['stuck'], { DATABASE_URL: 'postgresql://u:secret@127.0.0.1:9/x' })
  expect(code).toBe(3)
  expect(text).not.toContain('secret')
  const printed: string[] = []
  const console = { print: (line: string) => printed.push(line), complain: () => undefined }
  await run(['stuck', '--json'], { DATABASE_URL: 'postgresql://u:secret@127.0.0.1:9/x' }, console, folder)
  expect(JSON.parse(printed.join('\n'))).toMatchObject({ error: { code: 'service_unavailable' } })
})

test('every missing variable is named at once', async () => {
  const { code, text } = await ops(['reconcile'])
  expect(code).toBe(2)
  for (const name of ['CHAIN_ID', 'CHAIN_RPC_URLS', 'CONTRACT_ADDRESS']) expect(text).toContain(name)
})
