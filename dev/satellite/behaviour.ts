import { z } from 'zod'

const positive = z.int().positive()
/** Back to normal after this many requests; forever when absent. */
const requests = positive.optional()

/**
 * `value`: another value than the one signed. `signature`: random bytes. `key`: a good signature by
 * another key under the pinned key's name. `time`: signed an hour ago. `sequence`: signed, but counting backwards.
 */
const lie = z.enum(['value', 'signature', 'key', 'time', 'sequence'])
export type Lie = z.infer<typeof lie>

/** What an operator of the stand-in can tell it to do. */
export const behaviourSchema = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('normal'), requests }),
  /** Takes the request and never answers. */
  z.object({ mode: z.literal('hang'), requests }),
  /** Gives its last answer again. */
  z.object({ mode: z.literal('repeat'), requests }),
  /** Text that is not an answer. */
  z.object({ mode: z.literal('garble'), requests }),
  /** Answers this HTTP status; 429 and 503 with `Retry-After` when given. */
  z.object({
    mode: z.literal('fail'),
    status: z.int().min(400).max(599).optional(),
    retryAfterSeconds: positive.optional(),
    requests,
  }),
  z.object({ mode: z.literal('delay'), delayMs: positive, requests }),
  z.object({ mode: z.literal('lie'), about: lie, requests }),
])
export type Behaviour = z.infer<typeof behaviourSchema>
