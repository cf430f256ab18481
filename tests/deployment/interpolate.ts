/** As compose does it: `${A:-default}`, `${A:?must be there}`, `${A:+instead}`. */
export function interpolate(value: string, variables: Record<string, string>): string {
  return value.replace(/\$\{([A-Z_]+):([-?+])([^}]*)\}/g, (_, name: string, operator: string, word: string) => {
    const given = variables[name] ?? ''
    if (operator === '+') return given && word
    if (given) return given
    if (operator === '?') throw new Error(`${name}: ${word}`)
    return word
  })
}
