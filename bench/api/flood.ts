import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { exampleTransaction } from '../../api/testing/exampleTransaction.js'
import { figure, share, type Figure } from '../measure/Figure.js'
import type { BenchStack } from '../stack/openStack.js'
import { openApi, type MeasuredApi } from './openApi.js'

const rounds = 3
const turns = 2
const secondsEach = 1.8
const floodPerSecond = 500
const calmUsers = 8

/**
 * What others notice of one user's flood: the p95 of calm users' requests, without it and during it, in turn. The flood
 * comes from one session, over a hundred connections and many times faster than the default limits allow.
 */
export async function flood(stack: BenchStack): Promise<Figure[]> {
  const api = await openApi(stack)
  let child: ChildProcess | undefined
  try {
    const cookies: string[] = []
    for (let index = 0; index <= calmUsers; index++) {
      const browser = await api.signIn(`person-${index}@example.test`)
      const cookie = browser.cookieHeader(new URL(api.url))
      cookies.push(cookie)
      await send(api, cookie, 'POST', '/wallet/provision')
    }
    const greedy = cookies.pop() as string
    const headers = { cookie: greedy, origin: api.webOrigin, 'content-type': 'application/json' }
    const target = [`${api.url}/sign/digest`, JSON.stringify(headers), wrong, String(floodPerSecond)]
    child = fork(client, target, { execArgv: [] })
    // Both once before measuring, so that no round pays for compiling.
    await calm(api, cookies)
    child.send('start')
    await calm(api, cookies)
    child.send('stop')
    await once(child, 'message')
    const alone: number[] = []
    const flooded: number[] = []
    for (let round = 0; round < rounds; round++) {
      const times = { alone: [] as number[], flooded: [] as number[] }
      const flood = { answered: {} as Record<string, number>, heldBack: 0 }
      // In short turns, so that a busy machine is equally busy for both.
      for (let turn = 0; turn < turns; turn++) {
        times.alone.push(...(await calm(api, cookies)))
        child.send('start')
        times.flooded.push(...(await calm(api, cookies)))
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
const wrong = JSON.stringify({ digest: `0x${'00'.repeat(32)}`, txMetadata: exampleTransaction })

/** Each calm user reads their wallet and their session, ten times a second. Returns the milliseconds of each request. */
async function calm(api: MeasuredApi, cookies: readonly string[]): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + secondsEach * 1000
  await Promise.all(
    cookies.map(async (cookie) => {
      for (let turn = 0; performance.now() < end; turn++) {
        const start = performance.now()
        const status = await send(api, cookie, 'GET', turn % 2 ? '/wallet/me' : '/auth/me')
        if (status !== 200) throw new Error(`a calm user was answered ${status}`)
        times.push(performance.now() - start)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }),
  )
  return times
}

const agent = new Agent({ keepAlive: true })

function send(api: MeasuredApi, cookie: string, method: string, path: string, body?: string): Promise<number> {
  const headers = { cookie, origin: api.webOrigin, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(api.url + path, { method, agent, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.once('error', reject).end(body)
  })
}
