import { z } from 'zod'
import { fromHex, parseStrictJson } from '../../bytes/index.js'
import { parseSchema } from '../../errors/index.js'
import { isoSeconds } from '../../x509/index.js'

const headSchema = z.object({ id: z.unknown(), version: z.unknown() })

/** The JSON of a text that Intel signed, and which form it says it has. */
export function readHead(text: string, whole: string) {
  const value = parseStrictJson(text)
  return { value, ...parseSchema<z.output<typeof headSchema>>(headSchema, value, 'parse_failed', whole) }
}

/** Hex digits without `0x`, of an exact number of bytes. */
export const hexBytes = (length: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-fA-F]{${length * 2}}$`), `${length} bytes as hex`)
    .transform((text) => fromHex(`0x${text}`))

export const whole = (max: number) => z.int().min(0).max(max)

/** A time like 2026-11-01T00:00:00Z, as seconds. */
const time = z.string().transform((text, { issues }) => {
  const seconds = isoSeconds(text)
  if (seconds !== undefined) return seconds
  issues.push({ code: 'custom', input: text, message: 'a time like 2026-11-01T00:00:00Z' })
  return z.NEVER
})

/** What TCB info and QE identity begin with. */
export const window = { issueDate: time, nextUpdate: time, tcbEvaluationDataNumber: whole(0xffffffff) }

/** What every TCB level says, beside the versions that reach it. */
export const level = <S extends string>(statuses: readonly S[]) => ({
  tcbStatus: z.enum(statuses),
  tcbDate: time,
  advisoryIDs: z.array(z.string().max(256)).max(256).default([]),
})

/** Of two levels for one SVN, the order would decide which counts. Intel's library refuses them as well. */
export const equalLevels = 'two TCB levels have equal SVNs'
export const isDistinct = (values: readonly unknown[]) => new Set(values).size === values.length

/** Levels of what has one version number (the quoting enclave, a TDX module), highest first. They have no other statuses. */
export const svnLevels = z
  .array(z.object({ ...level(['UpToDate', 'OutOfDate', 'Revoked']), tcb: z.object({ isvsvn: whole(0xffff) }) }))
  .max(256)
  .refine((levels) => isDistinct(levels.map(({ tcb }) => tcb.isvsvn)), equalLevels)
  .transform((levels) => levels.sort((a, b) => b.tcb.isvsvn - a.tcb.isvsvn))
