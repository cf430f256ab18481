import { refuse } from '../messages/MessageError.js'
import { parsePersonal, parseTyped, type ParsedMessage } from '../messages/parseMessage.js'
import type { Hex } from '../types.js'

/** The members of a request that say what to sign. */
export function parseWire(input: Record<string, unknown>): ParsedMessage {
  const { scheme, message, typedData, ...rest } = input
  if (scheme !== 'eip191' && scheme !== 'eip712') {
    refuse('message_scheme_unsupported', 'only eip191 and eip712 are signed')
  }
  const [content, other] = scheme === 'eip191' ? [message, typedData] : [typedData, message]
  if (content === undefined || other !== undefined || Object.keys(rest).length > 0) {
    refuse('message_invalid', 'eip191 has the member message, eip712 typedData, and nothing else')
  }
  return scheme === 'eip191' ? parsePersonal({ raw: content as Hex }) : parseTyped(content, true)
}
