/** One measured row: a subject, what it is compared with, and the ratio, which is what counts on a shared machine. */
export interface BenchmarkRow {
  name: string
  /** Median and 95th percentile of one operation. */
  p50Ms: number
  p95Ms: number
  operations: number
  /** How many times faster than `comparedWith` by the median. */
  timesFaster?: number
  comparedWith?: string
  /** The least `timesFaster` that we promise. */
  goal?: number
  /** The most that the median may be, where we promise a time and not a ratio. */
  atMostMs?: number
}

export type Benchmark = () => Promise<BenchmarkRow[]>

/** Times `operation` one call at a time. The first calls are not counted. */
export async function measure(
  name: string,
  operations: number,
  operation: (index: number) => unknown,
): Promise<BenchmarkRow> {
  const warmUp = Math.min(20, operations)
  for (let i = 0; i < warmUp; i++) await operation(i)
  const times: number[] = []
  for (let i = 0; i < operations; i++) {
    const start = performance.now()
    await operation(warmUp + i)
    times.push(performance.now() - start)
  }
  return rowOf(name, times)
}

/** Times several subjects in turn, call by call, so that a busy machine is equally busy for each of them. */
export async function measureInTurn(
  operations: number,
  subjects: Record<string, (index: number) => unknown>,
): Promise<BenchmarkRow[]> {
  const warmUp = Math.min(20, operations)
  const times = Object.entries(subjects).map(([name, operation]) => ({ name, operation, taken: [] as number[] }))
  for (let i = 0; i < warmUp + operations; i++) {
    for (const { operation, taken } of times) {
      const start = performance.now()
      await operation(i)
      if (i >= warmUp) taken.push(performance.now() - start)
    }
  }
  return times.map(({ name, taken }) => rowOf(name, taken))
}

/** Median and 95th percentile of these times. */
export function rowOf(name: string, times: number[]): BenchmarkRow {
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] as number
  return { name, p50Ms: at(0.5), p95Ms: at(0.95), operations: times.length }
}

/** The row with its ratio to another row of the same run. */
export function compare(row: BenchmarkRow, other: BenchmarkRow, goal?: number): BenchmarkRow {
  const ratio = { timesFaster: other.p50Ms / row.p50Ms, comparedWith: other.name }
  return { ...row, ...ratio, ...(goal === undefined ? {} : { goal }) }
}
