const moves = '\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff'
const inLines = new RegExp(`[\\u0000-\\u001f${moves}]`, 'g')
const inJson = new RegExp(`[${moves}]`, 'g')

/** A line that may hold text of strangers: it cannot move a terminal's cursor, start a line or reverse one. */
export const harmless = (line: string): string => line.replace(inLines, '?')

/** The same as JSON for programs: these characters are escaped, so nothing is lost. */
export function harmlessJson(value: unknown): string {
  const escape = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value, null, 2).replace(inJson, escape)
}
