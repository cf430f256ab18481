import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { isTerminal, transactionDigest, type ProofPayload } from '@perigee/core'
import { exampleTransaction } from '../../api/testing/exampleTransaction.js'
import { buildProgram } from '../../dev/stack/buildProgram.js'
import { figure, type Figure } from '../measure/Figure.js'
import { cpuMs } from '../service/processes.js'
import type { BenchStack } from '../stack/openStack.js'
import { openApi, type MeasuredApi } from './openApi.js'
import { counted } from '../measure/counted.js'

const rounds = 5
const perRound = 1_500
const atOnce = 16

/** `GET /proof/:slug` of a finished proof, in turn with a bare Express handler that reads the same row. */
export async function proof(stack: BenchStack): Promise<Figure[]> {
  const api = await openApi(stack, { RATE_LIMITS: 'address:100000/100000' })
  const child = fork(await buildProgram(new URL('./bareProof.ts', import.meta.url)), [api.stack.databaseUrl], {
    execArgv: [],
  })
  try {
    const [port] = (await once(child, 'message')) as [number]
    const slug = await finishedProof(api)
    const ours = { url: `${api.url}/proof/${slug}`, pid: api.pid }
    const bare = { url: `http://127.0.0.1:${port}/proof/${slug}`, pid: child.pid ?? 0 }
    for (const { url } of [ours, bare]) await fire(url, counted(perRound))
    const seen = { ours: [] as Measured[], bare: [] as Measured[] }
    for (let round = 0; round < rounds; round++) {
      seen.ours.push(await measure(ours))
      seen.bare.push(await measure(bare))
    }
    const rates = (of: Measured[]) => of.map(({ perSecond }) => perSecond)
    const costs = (of: Measured[]) => of.map(({ cpu }) => cpu)
    return [
      figure('bare Express handler with the same row', 'requests/s', rates(seen.bare)),
      figure('GET /proof/:slug, finished', 'requests/s', rates(seen.ours), {
        against: { name: 'bare Express handler with the same row', rounds: rates(seen.bare) },
        atLeast: 0.5,
      }),
      figure('CPU of the bare handler', 'ms', costs(seen.bare)),
      figure('CPU of GET /proof/:slug', 'ms', costs(seen.ours), {
        against: { name: 'CPU of the bare handler', rounds: costs(seen.bare) },
      }),
    ]
  } finally {
    child.kill()
    await api.close()
  }
}

interface Measured {
  perSecond: number
  /** Milliseconds of the server's CPU for one request. */
  cpu: number
}

async function measure({ url, pid }: { url: string; pid: number }): Promise<Measured> {
  const count = counted(perRound)
  const [start, cpu] = [performance.now(), cpuMs(pid)]
  await fire(url, count)
  return { perSecond: (count * 1000) / (performance.now() - start), cpu: (cpuMs(pid) - cpu) / count }
}

const agent = new Agent({ keepAlive: true, maxSockets: atOnce })

async function fire(url: string, count: number): Promise<void> {
  let left = count
  const next = async (): Promise<void> => {
    while (left-- > 0) await get(url)
  }
  await Promise.all(Array.from({ length: atOnce }, next))
}

/** A minimal client: its CPU is taken from the server that is measured. */
function get(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent }, (answer) => {
      answer.resume().once('end', () => {
        if (answer.statusCode === 200) resolve()
        else reject(new Error(`${url} answered ${answer.statusCode}`))
      })
    })
    sent.once('error', reject).end()
  })
}

async function finishedProof(api: MeasuredApi): Promise<string> {
  const browser = await api.signIn('prover@example.test')
  const headers = { origin: api.webOrigin, 'content-type': 'application/json' }
  await browser.fetch(`${api.url}/wallet/provision`, { method: 'POST', headers })
  const txMetadata = { ...exampleTransaction, chainId: api.stack.chainId }
  const body = JSON.stringify({ digest: transactionDigest(txMetadata), txMetadata })
  const signed = await browser.fetch(`${api.url}/sign/digest`, { method: 'POST', headers, body })
  const { slug } = (await signed.json()) as { slug: string }
  for (;;) {
    const { status } = (await (await fetch(`${api.url}/proof/${slug}`)).json()) as ProofPayload
    if (isTerminal(status)) return slug
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
