/** A secret found where it must not be. The secret itself is not repeated. */
export interface Leak {
  where: string
  what: string
}

/** Text that must appear nowhere, by the name under which it is reported. */
export type Needles = Record<string, string>

/** Shapes that are secret whatever their value. */
const shapes: Record<string, RegExp> = {
  'a private key in PEM': /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  'a signed token': /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/,
  'a sealed session': /\bFe26\.2\*/,
}

/** Every needle, and every secret shape, in this text. */
export function findLeaks(where: string, text: string, needles: Needles): Leak[] {
  const found = new Set<string>()
  for (const [start, spellings] of spelt(needles)) {
    if (!text.includes(start)) continue
    for (const { what, spelling } of spellings) if (text.includes(spelling)) found.add(what)
  }
  for (const [what, shape] of Object.entries(shapes)) if (shape.test(text)) found.add(what)
  return [...found].map((what) => ({ where, what }))
}

/** All cookies start alike, so one look for the start spares hundreds for each of them. */
const startLength = 6

type Spellings = Map<string, { what: string; spelling: string }[]>
const known = new WeakMap<Needles, Spellings>()

/** By how they start. A secret URL-encoded, without its prefix or in base64 is the same secret. Computed once for many texts. */
function spelt(needles: Needles): Spellings {
  const before = known.get(needles)
  if (before) return before
  const all: Spellings = new Map()
  for (const [what, needle] of Object.entries(needles)) {
    if (needle.length < 8) throw new Error(`${what} is too short to search for`)
    const plain = needle.replace(/^0x/, '')
    const base64 = Buffer.from(plain).toString('base64').replace(/=+$/, '')
    for (const spelling of new Set([plain, encodeURIComponent(plain), base64])) {
      const start = spelling.slice(0, startLength)
      all.set(start, [...(all.get(start) ?? []), { what, spelling }])
    }
  }
  known.set(needles, all)
  return all
}
