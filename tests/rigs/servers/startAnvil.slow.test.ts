import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

const program = `
  import { startAnvil } from ${JSON.stringify(new URL('./startAnvil.ts', import.meta.url).href)}
  process.once('SIGTERM', () => process.exit(143))
  console.log((await startAnvil()).rpcUrl)`

test('a program that a signal ends takes its chain with it', async () => {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const asks = () => fetch(String(line).trim(), { method: 'POST' }).then(({ ok }) => ok)
  expect(await asks()).toBe(true)
  child.kill('SIGTERM')
  await exited
  await expect.poll(() => asks().catch(() => 'gone')).toBe('gone')
})
