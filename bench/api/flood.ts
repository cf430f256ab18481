import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { exampleTransaction } from '../../api/testing/exampleTransaction.js'
import { figure, share, type Figure } from '../Figure.js'
import { openApi, type MeasuredApi } from './openApi.js'

const rounds = 5
const secondsEach = 6

/**
 * What others notice of one user's flood: the 95th percentile of calm users' requests, without it and during it, in
 * turn. The flood comes from one session, sixteen requests at a time without a pause, and the usual limits are in force.
 */
export async function flood(): Promise<Figure[]> {
  const api = await openApi()
  let child: ChildProcess | undefined
  try {
    const cookies: string[] = []
    for (const name of ['calm-1', 'calm-2', 'calm-3', 'greedy']) {
      const browser = await api.signIn(`${name}@example.test`)
      cookies.push(browser.cookieHeader(new URL(api.url)))
      await send(api, browser.cookieHeader(new URL(api.url)), 'POST', '/wallet/provision')
    }
    const greedy = cookies.pop() as string
    const headers = { cookie: greedy, origin: api.webOrigin, 'content-type': 'application/json' }
    child = fork(client, [`${api.url}/sign/digest`, JSON.stringify(headers), wrong], { execArgv: [] })
    await calm(api, cookies)
    const alone: number[] = []
    const flooded: number[] = []
    for (let round = 0; round < rounds; round++) {
      alone.push(await calm(api, cookies))
      child.send('start')
      flooded.push(await calm(api, cookies))
      child.send('stop')
      const [seen] = (await once(child, 'message')) as [Record<string, number>]
      if (round === rounds - 1) console.log('answers to the flood, by status:', seen)
    }
    return [
      figure('p95 of calm users', 'ms', alone),
      figure('p95 of calm users during one user’s flood', 'ms', flooded, {
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

/** Each calm user reads their wallet and who they are, ten times a second. The 95th percentile in milliseconds. */
async function calm(api: MeasuredApi, cookies: readonly string[]): Promise<number> {
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
  return share(times, 0.95)
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
