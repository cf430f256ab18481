import { once } from 'node:events'
import { counted } from '../measure/counted.js'
import { figure, type Figure } from '../measure/Figure.js'
import { inLanes } from '../measure/timing.js'
import { cpuMs } from '../service/processes.js'
import type { BenchStack } from '../stack/openStack.js'
import { startBeside } from '../../dev/stack/programs/startBeside.js'
import { ask } from './ask.js'
import { openApi } from './openApi.js'

const rounds = 5
const perRound = 1_500
const atOnce = 16

/** `GET /proof/:slug` of a finished proof, in turn with a bare Express handler that reads the same row. */
export async function proof(stack: BenchStack): Promise<Figure[]> {
  const api = await openApi(stack, { RATE_LIMITS: 'address:100000/100000' })
  const bareApi = await startBeside(stack, 'bench/api/bareProof.ts', {})
  try {
    const [port] = (await once(bareApi.child, 'message')) as [number]
    const person = await api.newPerson()
    const slug = await person.sign()
    await person.whenComplete(slug)
    const ours = { url: `${api.url}/proof/${slug}`, pid: api.pid }
    const bare = { url: `http://127.0.0.1:${port}/proof/${slug}`, pid: bareApi.pid }
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
    await bareApi.close()
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

const fire = (url: string, count: number) => inLanes(atOnce, count, async () => void (await ask(url)))
