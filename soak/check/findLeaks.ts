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
  const found: Leak[] = []
  for (const [what, spellings] of spelt(needles)) {
    if (spellings.some((spelling) => text.includes(spelling))) found.push({ where, what })
  }
  for (const [what, shape] of Object.entries(shapes)) if (shape.test(text)) found.push({ where, what })
  return found
}

const known = new WeakMap<Needles, [string, string[]][]>()

/** A secret URL-encoded, without its prefix or in base64 is the same secret. Computed once for many texts. */
function spelt(needles: Needles): [string, string[]][] {
  const before = known.get(needles)
  if (before) return before
  const all = Object.entries(needles).map(([what, needle]): [string, string[]] => {
    if (needle.length < 8) throw new Error(`${what} is too short to search for`)
    const plain = needle.replace(/^0x/, '')
    const base64 = Buffer.from(plain).toString('base64').replace(/=+$/, '')
    return [what, [...new Set([plain, encodeURIComponent(plain), base64])]]
  })
  known.set(needles, all)
  return all
}
