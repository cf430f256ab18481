import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { run } from './run.js'

async function ops(args: string[], env: Record<string, string> = {}): Promise<{ code: number; text: string }> {
  const lines: string[] = []
  const console = { print: (line: string) => lines.push(line), complain: (line: string) => lines.push(line) }
  return { code: await run(args, env, console), text: lines.join('\n') }
}

test('help names every command, and is no failure', async () => {
  const { code, text } = await ops(['--help'])
  expect(code).toBe(0)
  for (const command of ['stuck', 'retry', 'abandon', 'publisher', 'audit']) expect(text).toContain(command)
})

test.each([
  [[]],
  [['frobnicate']],
  [['stuck', 'extra']],
  [['stuck', '--overdue', 'long']],
  [['audit', '--reason', 'x']],
  [['audit', '--only', 'everything']],
  [['retry']],
  [['retry', 'a-slug']],
  [['retry', 'a-slug', '--reason', 'because']],
  [['retry', 'a-slug', '--operator', 'ops-1']],
  [['retry', 'a-slug', '--operator', 'a name with spaces', '--reason', 'because']],
  [['retry', 'a-slug', '--code', 'pin_rejected', '--operator', 'ops-1', '--reason', 'because']],
  [['abandon', '--operator', 'ops-1', '--reason', 'because']],
  [['stuck', '--stack', 'no-such-file.json']],
])('%j is asked wrongly: exit code 2, and nothing is touched', async (args) => {
  expect((await ops(args)).code).toBe(2)
})

test('a slug may begin with a dash', async () => {
  for (const command of ['retry', 'abandon']) {
    const args = [command, '-AeCgu6h_LxudEMUbJ0pQMtc', '--operator', 'ops-1', '--reason', 'because']
    expect((await ops(args)).text).toContain('DATABASE_URL') // so the question of which proof was settled
  }
})

test('the operator may come from the environment', async () => {
  const { code, text } = await ops(['retry', 'a-slug', '--reason', 'because'], { PERIGEE_OPERATOR: 'ops-1' })
  expect(code).toBe(2)
  expect(text).toContain('DATABASE_URL') // so the question of who was settled
})

test('a database that is away is exit code 3, and its address is not shown', async () => {
  const { code, text } = await ops(['stuck'], { DATABASE_URL: 'postgresql://u:secret@127.0.0.1:9/x' })
  expect(code).toBe(3)
  expect(text).not.toContain('secret')
  const printed: string[] = []
  const console = { print: (line: string) => printed.push(line), complain: () => undefined }
  await run(['stuck', '--json'], { DATABASE_URL: 'postgresql://u:secret@127.0.0.1:9/x' }, console)
  expect(JSON.parse(printed.join('\n'))).toMatchObject({ error: { code: 'service_unavailable' } })
})

test('the program names every missing variable at once', async () => {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))
  const options = { env: { PATH: process.env['PATH'] } }
  const spawned = await promisify(execFile)(process.execPath, ['--import', 'tsx', main, 'audit'], options).catch(
    (error: { code: number; stderr: string }) => error,
  )
  expect(spawned).toMatchObject({ code: 2 })
  for (const name of ['CHAIN_ID', 'CHAIN_RPC_URLS', 'CONTRACT_ADDRESS']) expect(spawned.stderr).toContain(name)
})
