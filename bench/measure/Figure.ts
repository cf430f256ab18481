import { quantile } from '../../tests/quantile.js'

/** One figure, measured in several rounds of one run: its median, its spread, and what it is compared with. */
export interface Figure {
  name: string
  unit: string
  /** Null when it could not be measured; `note` says why. */
  value: number | null
  /** Smallest and largest of the rounds. */
  spread: [number, number]
  rounds: number
  /** `value` as a multiple of another figure of the same run, round by round. */
  times?: number
  timesSpread?: [number, number]
  comparedWith?: string
  /** The most that `times`, or without it `value`, may be. */
  atMost?: number
  /** The least that the same may be. */
  atLeast?: number
  /** The most that `value` may be, besides a goal for `times`. */
  valueAtMost?: number
  note?: string
}

export interface Held extends Pick<Figure, 'atMost' | 'atLeast' | 'valueAtMost' | 'note'> {
  /** The other subject's rounds, in the same order. */
  against?: { name: string; rounds: readonly number[] }
}

export function figure(name: string, unit: string, rounds: readonly number[], held: Held = {}): Figure {
  const { against, ...goals } = held
  const row = { name, unit, value: median(rounds), spread: spread(rounds), rounds: rounds.length, ...goals }
  if (!against) return row
  const times = rounds.map((value, round) => value / (against.rounds[round] ?? NaN))
  return { ...row, times: median(times), timesSpread: spread(times), comparedWith: against.name }
}

/** A figure that could not be measured, with the reason. */
export function notMeasured(name: string, unit: string, note: string): Figure {
  return { name, unit, value: null, spread: [NaN, NaN], rounds: 0, note }
}

/** A goal whose figure was not measured is missed. */
export function missesGoal(row: Figure): boolean {
  const { atMost = Infinity, atLeast = -Infinity, valueAtMost = Infinity } = row
  if (row.value === null) return [row.atMost, row.atLeast, row.valueAtMost].some((goal) => goal !== undefined)
  const held = row.times ?? row.value
  return !(held <= atMost && held >= atLeast && row.value <= valueAtMost)
}

export const median = (values: readonly number[]) => share(values, 0.5)

/** The value below which this share of them lies. */
export const share = (values: readonly number[], part: number): number => quantile(values, part) ?? NaN

function spread(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)]
}
