/** Something that must not be where it was found. The secret itself is not repeated. */
export interface Leak {
  where: string
  what: string
}

/** What is looked for: text that must appear nowhere, by the name under which it is reported. */
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
  for (const [what, needle] of Object.entries(needles)) {
    if (needle.length < 8) throw new Error(`${what} is too short to be looked for`)
    if (spellings(needle).some((spelling) => text.includes(spelling))) found.push({ where, what })
  }
  for (const [what, shape] of Object.entries(shapes)) if (shape.test(text)) found.push({ where, what })
  return found
}

/** A secret in a URL, without its prefix or in base64 is the same secret. */
function spellings(needle: string): string[] {
  const plain = needle.replace(/^0x/, '')
  return [...new Set([plain, encodeURIComponent(plain), Buffer.from(plain).toString('base64').replace(/=+$/, '')])]
}
