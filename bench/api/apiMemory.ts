import { figure, type Figure } from '../measure/Figure.js'
import type { BenchStack } from '../stack/openStack.js'
import { openApi } from './openApi.js'
import { useOfApi } from './useOfApi.js'

/** `BENCH_MINUTES=60 npm run bench -- apiMemory` runs for an hour; a few minutes show a coarse leak. */
const minutes = Number(process.env['BENCH_MINUTES'] || 3)
const perSecond = Number(process.env['BENCH_PER_SECOND'] || 25)

/** The API's memory when idle, and its growth under use: resident memory and live objects. */
export async function apiMemory(stack: BenchStack): Promise<Figure[]> {
  const api = await openApi(stack, {
    RATE_LIMITS: 'signIn:1000/1000,signInUser:1000/1000,attestation:1000/1000,session:1000/1000',
    API_METRICS_ADDRESS: '127.0.0.1:0',
  })
  try {
    await new Promise((resolve) => setTimeout(resolve, 20_000))
    const idle = await api.memory(false)
    const use = await useOfApi(api)
    // Filling caches, compiling code and opening the pool's connections is not growth.
    await use.run(Math.min(300, minutes * 20), perSecond)
    const before = await api.memory()
    const steps = 12
    const seen = [before]
    for (let step = 0; step < steps; step++) {
      await use.run((minutes * 60) / steps, perSecond)
      const now = await api.memory()
      seen.push(now)
      console.log(
        `${new Date().toISOString()} ${use.requests} requests, ${now.rssMb.toFixed(1)} MB resident, ${now.heapMb.toFixed(1)} MB live`,
      )
    }
    console.log('answers by status (0: none):', Object.fromEntries([...use.statuses].sort()))
    const after = seen.at(-1) ?? before
    return [
      figure('memory of the idle API', 'MB', [idle.rssMb], { atMost: 180 }),
      figure(`API memory before ${minutes} minutes of ${perSecond} requests a second`, 'MB', [before.rssMb]),
      figure('API memory after them', 'MB', [after.rssMb], {
        against: { name: 'before', rounds: [before.rssMb] },
        atMost: 1.1,
      }),
      figure('live objects after them', 'MB', [after.heapMb], {
        against: { name: 'before', rounds: [before.heapMb] },
        atMost: 1.1,
      }),
    ]
  } finally {
    await api.close()
  }
}
