import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('a flood ends with the benchmark that started it', async () => {
  const client = fileURLToPath(new URL('./floodClient.mjs', import.meta.url))
  const child = fork(client, ['http://127.0.0.1:9', '{}', '{}', '50'], { execArgv: [] })
  child.send('start')
  child.send('stop')
  await once(child, 'message') // it listens
  child.send('start')
  await new Promise((resolve) => setTimeout(resolve, 200)) // it floods
  child.disconnect() // as when the parent is gone
  try {
    await expect.poll(() => child.exitCode, { timeout: 10_000 }).toBe(0)
  } finally {
    child.kill('SIGKILL')
  }
})
