'use client'
import type { ServiceError } from '../errors/ServiceError.js'
import { useServiceContext } from './useService.js'

/**
 * Why the last fetch cycle failed, for example because the service is down, or why the sign-in did that led to this page
 * (`facts.step` is then `sign_in`). Null when nothing failed.
 */
export function useServiceError(): ServiceError | null {
  return useServiceContext().session.get().error
}
