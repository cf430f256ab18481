import { figure, type Figure } from '../Figure.js'
import type { BenchService } from './openService.js'
import { memoryMb } from './processes.js'

/** What each program holds after all of the above. */
export function memory({ file }: BenchService): Figure[] {
  return Object.entries(file.processes).map(([name, pid]) => figure(`memory of ${name}`, 'MB', [memoryMb(pid)]))
}
