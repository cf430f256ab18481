import { expect, test } from 'vitest'
import { runTogether, type Runnable } from './runTogether.js'

/** A worker that finishes what is under way when it is asked to stop, and says so. */
function worker(name: string, log: string[], failsAfterMs?: number): Runnable {
  let state = 'RUNNING'
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => (stop = resolve))
  return {
    getState: () => state,
    shutdown() {
      state = 'STOPPING'
      stop()
    },
    async run() {
      if (failsAfterMs !== undefined) {
        await new Promise((resolve) => setTimeout(resolve, failsAfterMs))
        state = 'FAILED'
        throw new Error(`${name} failed`)
      }
      await stopped
      await new Promise((resolve) => setTimeout(resolve, 50))
      log.push(`${name} finished`)
    },
  }
}

test('one that fails stops the others, which finish what they have before anybody goes on', async () => {
  const log: string[] = []
  const workers = [worker('sign', log), worker('chain', log, 10), worker('publish', log)]
  await expect(runTogether(workers)).rejects.toThrow('chain failed')
  expect(log).toEqual(['sign finished', 'publish finished'])
})

test('returns when all have ended by themselves', async () => {
  const log: string[] = []
  const workers = [worker('sign', log), worker('chain', log)]
  const running = runTogether(workers)
  for (const one of workers) one.shutdown()
  await running
  expect(log).toHaveLength(2)
})
