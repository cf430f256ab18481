import { canonicalJson, type Json } from '../../bytes/index.js'

export type Path = (string | number)[]
export interface Mutant {
  path: string
  what: string
  value: Json
}

/** The way to every leaf of a value; lists are leaves too. */
export function leafPaths(value: Json, prefix: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return [prefix]
  return [
    ...(Array.isArray(value) ? [prefix] : []),
    ...Object.entries(value).flatMap(([key, child]) => leafPaths(child, [...prefix, key])),
  ]
}

/** The value changed in one place, in likely and in unlikely ways. */
export function mutantsOf(good: Json, path: Path): Mutant[] {
  const original = path.reduce<Json>((node, key) => (node as Record<string, Json>)[key]!, good)
  return changesOf(original).map(([what, changed]) => {
    const value = structuredClone(good)
    const parent = path.slice(0, -1).reduce<Json>((node, key) => (node as Record<string, Json>)[key]!, value)
    ;(parent as Record<string, Json>)[path.at(-1) as string] = changed
    return { path: path.join('.'), what, value }
  })
}

/** The likely-looking change first, then the unlikely ones. */
function changesOf(value: Json): [string, Json][] {
  const others: [string, Json][] = [['null', 1], ['text', 'x'], ['number', -1], ['list', ['x']], ['object', {}], ['true', true]] // prettier-ignore
  const strange = others.map(([name, other]): [string, Json] => [`became ${name}`, name === 'null' ? null : other])
  const likely: [string, Json][] = []
  if (typeof value === 'boolean') likely.push(['turned', !value])
  if (typeof value === 'number') likely.push(['plus one', value + 1], ['minus one', value - 1], ['zero', 0])
  if (typeof value === 'string') likely.push(...textChanges(value))
  if (Array.isArray(value)) likely.push(['one more', [...value, value[0] ?? 'x']], ['emptied', []])
  return [...likely, ...strange].filter(([, changed]) => canonicalJson(changed) !== canonicalJson(value))
}

function textChanges(text: string): [string, Json][] {
  const other = (char: string) => (/[0-9]/.test(char) ? String((Number(char) + 1) % 10) : char === 'a' ? 'b' : 'a')
  const places = [text.length - 1, text.length - 3, 2, Math.floor(text.length / 2), Math.floor(text.length / 3)]
  const replaced = places
    .filter((at) => at >= 0 && at < text.length)
    .map((at): [string, Json] => [
      `character ${at}`,
      text.slice(0, at) + other(text[at] as string) + text.slice(at + 1),
    ])
  return [...replaced, ['longer', `${text}0`], ['shorter', text.slice(0, -1)], ['upper case', text.toUpperCase()]]
}

/**
 * Members that neither hardware nor arithmetic vouches for. The CID, and through it the event, is all that protects
 * them: a publisher can choose them. docs/receipt-v1.md says so of each.
 */
export const protectedByTheCidAlone = [
  'coordinator.fetchedAt',
  'issuedAt',
  'signer.platform',
  'signer.verifiedAt',
  'spec',
  'verification.instructions',
  'verification.trustAnchorsCid',
]
