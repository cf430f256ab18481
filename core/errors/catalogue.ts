import { attestationCodes } from './attestationCodes.js'
import { serviceCodes } from './serviceCodes.js'

/** Every code that may leave the service. The code decides HTTP status and retry. Codes are wire format: add, never rename. */
export const errorCatalogue = { ...serviceCodes, ...attestationCodes } as const

export type ErrorCode = keyof typeof errorCatalogue

/** True for a string that is a code of the catalogue, own properties only. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorCatalogue, value)
}
