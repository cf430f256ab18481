import { figure, type Figure } from '../Figure.js'
import type { BenchStack } from '../stack/openStack.js'
import { inRounds } from '../timing.js'
import { memoryMb } from './processes.js'

/** What each program of the stack holds after all that was asked of it, read three times, a second apart. */
export async function memory({ file }: BenchStack): Promise<Figure[]> {
  const programs = Object.entries(file.processes)
  const readings = await inRounds(3, async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    return programs.map(([, pid]) => memoryMb(pid))
  })
  const of = (index: number) => readings.map((reading) => reading[index] ?? NaN)
  return programs.map(([name], index) => figure(`memory of ${name}`, 'MB', of(index)))
}
