import { figure, type Figure } from '../Figure.js'
import type { BenchStack } from '../stack/openStack.js'
import { memoryMb } from './processes.js'

/** What each program of the stack holds after all that was asked of it. */
export async function memory({ file }: BenchStack): Promise<Figure[]> {
  return Object.entries(file.processes).map(([name, pid]) => figure(`memory of ${name}`, 'MB', [memoryMb(pid)]))
}
