type Cell = string | number

const line = (cells: readonly Cell[]) => `| ${cells.join(' | ')} |`

/** A table in Markdown, line by line. */
export const table = (header: readonly string[], rows: readonly (readonly Cell[])[]): string[] => [
  line(header),
  line(header.map(() => '---')),
  ...rows.map(line),
]

/** How often each of these is there. */
export function countEach(values: Iterable<string | number>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
