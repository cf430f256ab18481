/** One figure, measured in several rounds of one run: its median, how far the rounds were apart, and what it is held against. */
export interface Figure {
  name: string
  unit: string
  value: number
  /** Smallest and largest of the rounds. */
  spread: [number, number]
  rounds: number
  /** `value` as a multiple of another figure of the same run, round by round. */
  times?: number
  timesSpread?: [number, number]
  comparedWith?: string
  /** The most that `times` (where there is one) or else `value` may be. */
  atMost?: number
  /** The least that it may be. */
  atLeast?: number
}

export type FigureBenchmark = () => Promise<Figure[]>

interface Held {
  /** The other subject's rounds, in the same order. */
  against?: { name: string; rounds: readonly number[] }
  atMost?: number
  atLeast?: number
}

export function figure(name: string, unit: string, rounds: readonly number[], held: Held = {}): Figure {
  const { against, ...goals } = held
  const row = { name, unit, value: median(rounds), spread: spread(rounds), rounds: rounds.length, ...goals }
  if (!against) return row
  const times = rounds.map((value, round) => value / (against.rounds[round] ?? NaN))
  return { ...row, times: median(times), timesSpread: spread(times), comparedWith: against.name }
}

export function missesGoal({ value, times, atMost = Infinity, atLeast = -Infinity }: Figure): boolean {
  const held = times ?? value
  return !(held <= atMost && held >= atLeast)
}

export const median = (values: readonly number[]) => share(values, 0.5)

/** The value below which this share of them lies. */
export function share(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN
}

function spread(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)]
}
