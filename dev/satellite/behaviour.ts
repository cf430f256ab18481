/** What an operator of the stand-in can tell it to do. */
export type Behaviour = { /** Back to normal after this many requests; forever when absent. */ requests?: number } & (
  | { mode: 'normal' }
  /** Answers this HTTP status; 429 and 503 with `Retry-After` when given. */
  | { mode: 'fail'; status?: number; retryAfterSeconds?: number }
  | { mode: 'delay'; delayMs: number }
  /** Takes the request and never answers. */
  | { mode: 'hang' }
  /** Gives its last answer again. */
  | { mode: 'repeat' }
  /** Text that is not an answer. */
  | { mode: 'garble' }
  | { mode: 'lie'; about: Lie }
)
/**
 * `value`: another value than the one signed. `signature`: random bytes. `key`: a good signature by
 * another key under the pinned key's name. `time`: signed an hour ago. `sequence`: signed, but counting backwards.
 */
const lies = ['value', 'signature', 'key', 'time', 'sequence'] as const
export type Lie = (typeof lies)[number]

/** An order from untrusted JSON; null when it is not one. */
export function parseBehaviour(input: unknown): Behaviour | null {
  if (typeof input !== 'object' || input === null) return null
  const o = input as Record<string, unknown>
  const positive = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0
  if (o.requests !== undefined && !positive(o.requests)) return null
  const times = o.requests === undefined ? {} : { requests: o.requests }
  switch (o.mode) {
    case 'normal':
    case 'hang':
    case 'repeat':
    case 'garble':
      return { mode: o.mode, ...times }
    case 'fail': {
      if (o.status !== undefined && !(positive(o.status) && o.status >= 400 && o.status < 600)) return null
      if (o.retryAfterSeconds !== undefined && !positive(o.retryAfterSeconds)) return null
      const retry = o.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: o.retryAfterSeconds }
      return { mode: 'fail', ...(o.status === undefined ? {} : { status: o.status }), ...retry, ...times }
    }
    case 'delay':
      return positive(o.delayMs) ? { mode: 'delay', delayMs: o.delayMs, ...times } : null
    case 'lie': {
      const about = lies.find((lie) => lie === o.about)
      return about === undefined ? null : { mode: 'lie', about, ...times }
    }
    default:
      return null
  }
}
