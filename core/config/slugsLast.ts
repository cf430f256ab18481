/**
 * Moves slugs that start with a dash (one in 64 does) to the end of a command line, after `--`. A parser would take
 * them for options. No option is as long as a slug.
 */
export function slugsLast(words: readonly string[]): string[] {
  const end = words.includes('--') ? words.indexOf('--') : words.length
  const isSlug = (word: string) => /^-[A-Za-z0-9_-]{23}$/.test(word)
  const options = words.slice(0, end)
  const rest = [...options.filter(isSlug), ...words.slice(end + 1)]
  return [...options.filter((word) => !isSlug(word)), ...(rest.length > 0 ? ['--', ...rest] : [])]
}
