'use client'
import type { ServiceError } from '../errors/ServiceError.js'
import { useServiceContext } from './useService.js'

/** Why the last fetch cycle failed, for example because the service is down; null when it did not. */
export function useServiceError(): ServiceError | null {
  return useServiceContext().session.get().error
}
