import { z } from 'zod'
import { hexOf } from '../bytes/hexSchema.js'
import { parseSchema } from '../errors/index.js'
import type { Opening } from './commitment.js'
import { parseMessage, type ParsedMessage } from './parseMessage.js'

const openingSchema = z.strictObject({
  version: z.literal('perigee-opening/1'),
  message: z.record(z.string(), z.unknown()),
  signature: hexOf(65),
  salt: hexOf(32),
})

/** Takes anything; returns an opening and its message, or throws `opening_invalid` or a code of the message. */
export function parseOpening(input: unknown): { opening: Opening; parsed: ParsedMessage } {
  const found = parseSchema<Opening>(openingSchema, input, 'opening_invalid', 'opening')
  const parsed = parseMessage(found.message)
  return { opening: { ...found, message: parsed.message }, parsed }
}
