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
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] as number
  return { name, p50Ms: at(0.5), p95Ms: at(0.95), operations }
}

/** The row with its ratio to another row of the same run. */
export function compare(row: BenchmarkRow, other: BenchmarkRow, goal?: number): BenchmarkRow {
  const ratio = { timesFaster: other.p50Ms / row.p50Ms, comparedWith: other.name }
  return { ...row, ...ratio, ...(goal === undefined ? {} : { goal }) }
}
