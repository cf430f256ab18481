import { figure, type Figure } from '../measure/Figure.js'
import type { BenchStack } from '../stack/openStack.js'
import { inRounds } from '../measure/timing.js'
import { memoryMb } from './processes.js'

/** Memory of each program of the stack after all other parts, read three times, a second apart. */
export async function stackMemory({ file }: BenchStack): Promise<Figure[]> {
  const programs = Object.entries(file.processes)
  const readings = await inRounds(3, async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    return programs.map(([, pid]) => memoryMb(pid))
  })
  const of = (index: number) => readings.map((reading) => reading[index] ?? NaN)
  return programs.map(([name], index) => figure(`memory of ${name}`, 'MB', of(index)))
}
