import { errorCatalogue, type ErrorCode } from './catalogue.js'

/** Public values only: they appear in logs, histories and public answers. */
export type Facts = Record<string, string | number | boolean | null>

/** The one error class. `code` is stable; the message tells a person what happened and what to do. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly facts: Facts = {},
    cause?: unknown,
  ) {
    super(message, { cause })
  }
  get status(): number {
    return errorCatalogue[this.code].status
  }
  get retryable(): boolean {
    return errorCatalogue[this.code].retryable
  }
}

/** Runs `work`; anything thrown that is not already a ServiceError becomes one with this code. For hostile input. */
export function withCode<T>(code: ErrorCode, message: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof ServiceError ? error : new ServiceError(code, message, {}, error)
  }
}

/** The same for asynchronous work. */
export async function withCodeAsync<T>(code: ErrorCode, message: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof ServiceError ? error : new ServiceError(code, message, {}, error)
  }
}

/** What was asked for, or nothing where the source failed. */
export async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}
