import { setTimeout as sleep } from 'node:timers/promises'
import { measureMemory } from '../../soak/report/measureMemory.js'
import { figure, type Figure } from '../measure/Figure.js'
import { inRounds } from '../measure/timing.js'
import type { BenchStack } from '../stack/openStack.js'

/** Memory of each program of the stack after all other parts, read three times, a second apart. */
export async function stackMemory({ file }: BenchStack): Promise<Figure[]> {
  const readings = await inRounds(3, async () => {
    await sleep(1_000)
    return measureMemory(file.processes)
  })
  const of = (name: string) => readings.map((reading) => reading[name] ?? NaN)
  return Object.keys(file.processes).map((name) => figure(`memory of ${name}`, 'MB', of(name)))
}
