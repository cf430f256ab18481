import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { buildProgram } from '../../../dev/stack/programs/buildProgram.js'

let rig: string
beforeAll(async () => {
  rig = pathToFileURL(await buildProgram(new URL('./startAnvil.ts', import.meta.url))).href
})

const program = (ending: string) => `
  import { startAnvil } from ${JSON.stringify(rig)}
  const chain = await startAnvil()
  process.once('SIGTERM', async () => { ${ending}; process.exit(143) })
  console.log(chain.rpcUrl)`

const whenGone = `while (await fetch(chain.rpcUrl, { method: 'POST' }).then(() => true, () => false));`

test.each([
  ['who exits at once', '', (pid: number) => pid],
  [
    'who closes it when it has ended already, by the same Ctrl-C',
    `${whenGone} await chain.close()`,
    (pid: number) => -pid,
  ],
])('a program that a signal ends takes its chain with it: one %s', async (_who, ending, receiver) => {
  const args = ['--input-type=module', '--eval', program(ending)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  const exited = once(child, 'exit')
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const asks = () => fetch(String(line).trim(), { method: 'POST' }).then(({ ok }) => ok)
  expect(await asks()).toBe(true)
  process.kill(receiver(child.pid!), 'SIGTERM')
  expect(await exited).toEqual([143, null])
  await expect.poll(() => asks().catch(() => 'gone')).toBe('gone')
})
