export type Env = Readonly<Record<string, string | undefined>>

/** Everything that is wrong with a program's environment. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  constructor(readonly problems: readonly string[]) {
    super(`configuration: ${problems.join('; ')}`)
  }
}

/**
 * Reads variables and collects every problem, so that an operator can fix them all at once. After a problem a reader
 * returns a placeholder; use nothing before `finish()` has returned.
 */
export class EnvReader {
  readonly problems: string[] = []
  constructor(private readonly env: Env) {}

  has(name: string): boolean {
    return (this.env[name] ?? '') !== ''
  }
  problem(text: string): void {
    this.problems.push(text)
  }
  /** The variable's text, or the fallback; a problem when there is neither. */
  text(name: string, fallback?: string): string {
    if (this.has(name)) return this.env[name] as string
    if (fallback === undefined) this.problem(`${name} is missing`)
    return fallback ?? ''
  }
  /** Exactly `true` or `false`; anything else is a problem, because a typo must not turn a safeguard off. */
  flag(name: string): boolean {
    const text = this.text(name, 'false')
    if (text !== 'true' && text !== 'false') this.problem(`${name} must be true or false`)
    return text === 'true'
  }
  integer(name: string, range: { min: number; max: number }, fallback?: number): number {
    const text = this.text(name, fallback === undefined ? undefined : String(fallback))
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (text !== '' && !(value >= range.min && value <= range.max)) {
      this.problem(`${name} must be a whole number from ${range.min} to ${range.max}`)
    }
    return value
  }
  /** A decimal string of any size, as used for wei. */
  decimal(name: string, fallback: string): string {
    const text = this.text(name, fallback)
    if (!/^(?:0|[1-9][0-9]{0,77})$/.test(text)) this.problem(`${name} must be a decimal number`)
    return text
  }
  /** Comma-separated, trimmed, no empty members. */
  list(name: string, fallback?: string): string[] {
    return this.text(name, fallback)
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
  }
  oneOf<T extends string>(name: string, values: readonly T[], fallback?: T): T {
    const text = this.text(name, fallback)
    if (text !== '' && !(values as readonly string[]).includes(text)) {
      this.problem(`${name} must be one of ${values.join(', ')}`)
    }
    return text as T
  }
  /** An absolute URL with one of these protocols (`https:`). */
  url(name: string, protocols: readonly string[], fallback?: string): string {
    const text = this.text(name, fallback)
    if (text !== '' && !(URL.canParse(text) && protocols.includes(new URL(text).protocol))) {
      this.problem(`${name} must be a URL with ${protocols.join(' or ')}`)
    }
    return text
  }
  /** A list of http and https URLs. */
  urls(name: string): string[] {
    const urls = this.list(name)
    const isWeb = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
    if (!urls.every(isWeb)) this.problem(`${name} must be a list of http or https URLs`)
    return urls
  }
  /** What `read` makes of the file that a variable names; core itself does no I/O. */
  file<T>(name: string, read: (path: string) => T): T {
    const path = this.text(name)
    try {
      if (path !== '') return read(path)
    } catch {
      this.problem(`${name} names a file that cannot be read`)
    }
    return undefined as T // never used: `finish` throws
  }
  /** Throws a ConfigError that names every problem. */
  finish(): void {
    if (this.problems.length > 0) throw new ConfigError([...new Set(this.problems)]) // several parts may read one variable
  }
}
