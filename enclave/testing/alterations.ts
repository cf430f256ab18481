/** What a member is changed to where the usual change would not be a well-formed value. */
export type Replacements = Readonly<Record<string, unknown>>

/**
 * Copies of `value`, each with one member changed: the last digit of hex, a number plus one, a letter more. `path` is
 * the changed member's, as in `owners.credentials.0.rpId`.
 */
export function alterations<T>(value: T, path: string, replacements: Replacements = {}): [path: string, altered: T][] {
  if (path in replacements) return [[path, replacements[path] as T]]
  if (Array.isArray(value)) {
    return value.flatMap((item, i) =>
      alterations(item, `${path}.${i}`, replacements).map(
        ([at, altered]) => [at, value.with(i, altered)] as [string, T],
      ),
    )
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, item]) =>
      alterations(item, `${path}.${name}`, replacements).map(
        ([at, altered]) => [at, { ...value, [name]: altered }] as [string, T],
      ),
    )
  }
  return [[path, alter(value) as T]]
}

function alter(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value !== 'string') return `0x${'5a'.repeat(32)}` // null: there is something now
  if (!/^0x[0-9a-f]+$/.test(value)) return `${value}x`
  return value.slice(0, -1) + (Number.parseInt(value.slice(-1), 16) ^ 1).toString(16)
}
