import type { z } from 'zod'
import type { ErrorCode } from './catalogue.js'
import { ServiceError } from './ServiceError.js'

/** Parses with a schema or throws `code`, naming the wrong fields: the first ten, because the input may be hostile. */
export function parseSchema<T>(schema: z.ZodType, input: unknown, code: ErrorCode, whole: string): T {
  const result = schema.safeParse(input)
  if (result.success) return result.data as T
  const wrong = result.error.issues.slice(0, 10).map((issue) => `${issue.path.join('.') || whole}: ${issue.message}`)
  throw new ServiceError(code, wrong.join('; ').slice(0, 1000))
}
