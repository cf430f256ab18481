import { setTimeout as sleep } from 'node:timers/promises'
import { figure, share, type Figure, type Held } from './Figure.js'

/** Milliseconds of every call, by subject. */
export type Times<K extends string = string> = Record<K, number[]>

/** The pause before a call at an idle pace: Temporal's server has finished with the call before. */
export const rest = () => sleep(100)

export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Does the same several times, one after the other. */
export async function inRounds<T>(rounds: number, work: (round: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let round = 0; round < rounds; round++) results.push(await work(round))
  return results
}

/** So many calls, a fixed number at the same time. */
export async function inLanes(atOnce: number, count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    for (let index = next++; index < count; index = next++) await work(index)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

/**
 * Several rounds, after a few turns that are not counted. The subjects take turns call by call, so that a busy machine
 * is equally busy for each of them. Each call gets its number over all rounds. `before` each call is not measured.
 */
export async function timeInRounds<K extends string>(
  {
    rounds = 3,
    turns,
    warmUp,
    before,
  }: { rounds?: number; turns: number; warmUp: number; before?: () => Promise<void> },
  subjects: Record<K, (call: number) => unknown>,
): Promise<Times<K>[]> {
  const names = Object.keys(subjects) as K[]
  let call = 0
  const some = async (count: number): Promise<Times<K>> => {
    const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Times<K>
    for (const end = call + count; call < end; call++) {
      for (const name of names) {
        await before?.()
        times[name].push(await timed(() => subjects[name](call)))
      }
    }
    return times
  }
  await some(warmUp)
  return inRounds(rounds, () => some(turns))
}

/** One value of each round: this share of its calls took no longer. */
export function atShare<K extends string>(rounds: readonly Times<K>[], subject: K, part: number): number[] {
  return rounds.map((times) => share(times[subject], part))
}

/** The medians of one subject, compared with those of another. */
export function medianFigure<K extends string>(
  rounds: readonly Times<K>[],
  subject: K,
  held: Omit<Held, 'against'> & { against?: K } = {},
): Figure {
  const { against, ...goals } = held
  const other = against && { against: { name: against, rounds: atShare(rounds, against, 0.5) } }
  return figure(subject, 'ms', atShare(rounds, subject, 0.5), { ...goals, ...other })
}
