import { z } from 'zod'
import { hexOf } from '../bytes/hexSchema.js'
import { parseStrictJson } from '../bytes/index.js'
import { parseSchema, ServiceError } from '../errors/index.js'
import type { Opening } from './commitment.js'
import { parseMessage, type ParsedMessage } from './parseMessage.js'

/** Form of an opening; `docs/opening-v1.schema.json` is this. `parseMessage` knows the form of its message. */
export const openingSchema = z.strictObject({
  version: z.literal('perigee-opening/1'),
  message: z.record(z.string(), z.unknown()),
  signature: hexOf(65),
  salt: hexOf(32),
})

/** Takes anything, also JSON text; returns an opening and its message, or throws `opening_invalid` or a code of the message. */
export function parseOpening(input: unknown): { opening: Opening; parsed: ParsedMessage } {
  const value = typeof input === 'string' ? decode(input) : input
  const found = parseSchema<Opening>(openingSchema, value, 'opening_invalid', 'opening')
  const parsed = parseMessage(found.message)
  return { opening: { ...found, message: parsed.message }, parsed }
}

/** A member named twice is refused: two programs could read two messages. */
function decode(text: string): unknown {
  if (text.trim() === '') throw new ServiceError('opening_invalid', 'the opening is empty')
  try {
    return parseStrictJson(text, { anyScalar: true })
  } catch (cause) {
    throw new ServiceError('opening_invalid', `the opening: ${(cause as Error).message}`, {}, cause)
  }
}
