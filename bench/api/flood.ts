import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { newTransaction } from '../../enclave/testing/createTestWorld.js'
import { figure, share, type Figure } from '../measure/Figure.js'
import type { Person } from '../stack/openPerson.js'
import type { BenchStack } from '../stack/openStack.js'
import { ask } from './ask.js'
import { openApi } from './openApi.js'

const rounds = 3
const turns = 2
const secondsEach = 1.8
const floodPerSecond = 500
const calmCount = 8

/**
 * What others notice of one user's flood: the p95 of calm users' requests, without it and during it, in turn. The flood
 * comes from one session, over a hundred connections and many times faster than the default limits allow.
 */
export async function flood(stack: BenchStack): Promise<Figure[]> {
  const api = await openApi(stack)
  let child: ChildProcess | undefined
  try {
    const calmUsers: Person[] = []
    while (calmUsers.length < calmCount) calmUsers.push(await api.newPerson())
    const greedy = await api.newPerson()
    const target = [`${api.url}/sign/digest`, JSON.stringify(greedy.headers), wrong, String(floodPerSecond)]
    child = fork(client, target, { execArgv: [] })
    // Both once before measuring, so that no round pays for compiling.
    await calm(api.url, calmUsers)
    child.send('start')
    await calm(api.url, calmUsers)
    child.send('stop')
    await once(child, 'message')
    const alone: number[] = []
    const flooded: number[] = []
    for (let round = 0; round < rounds; round++) {
      const times = { alone: [] as number[], flooded: [] as number[] }
      const flood = { answered: {} as Record<string, number>, heldBack: 0 }
      // In short turns, so that a busy machine is equally busy for both.
      for (let turn = 0; turn < turns; turn++) {
        times.alone.push(...(await calm(api.url, calmUsers)))
        child.send('start')
        times.flooded.push(...(await calm(api.url, calmUsers)))
        child.send('stop')
        const [seen] = (await once(child, 'message')) as [typeof flood]
        flood.heldBack += seen.heldBack
        for (const [status, count] of Object.entries(seen.answered)) {
          flood.answered[status] = (flood.answered[status] ?? 0) + count
        }
      }
      console.log('the flood:', flood)
      alone.push(share(times.alone, 0.95))
      flooded.push(share(times.flooded, 0.95))
    }
    return [
      figure('p95 of calm users', 'ms', alone),
      figure(`p95 of calm users while one tries to send ${floodPerSecond} requests a second`, 'ms', flooded, {
        against: { name: 'p95 of calm users', rounds: alone },
        atMost: 1.5,
      }),
    ]
  } finally {
    child?.kill()
    await api.close()
  }
}

const client = fileURLToPath(new URL('./floodClient.mjs', import.meta.url))
const wrong = JSON.stringify({ digest: `0x${'00'.repeat(32)}`, txMetadata: newTransaction() })

/** Each calm user reads their wallet and their session, ten times a second. Returns the milliseconds of each request. */
async function calm(apiUrl: string, users: readonly Person[]): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + secondsEach * 1000
  await Promise.all(
    users.map(async ({ headers }) => {
      for (let turn = 0; performance.now() < end; turn++) {
        times.push(await ask(`${apiUrl}${turn % 2 ? '/wallet/me' : '/auth/me'}`, headers))
        await sleep(100)
      }
    }),
  )
  return times
}
