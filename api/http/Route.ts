import type { RequestHandler } from 'express'
import type { z } from 'zod'
import type { ErrorCode } from '@perigee/core'

interface RouteAnswer {
  description: string
  schema?: z.ZodType
  contentType?: string
}

/** One operation: what the documentation says and what runs, side by side. */
export interface Route {
  method: 'get' | 'post' | 'delete'
  /** Express syntax: `/proof/:slug`. */
  path: string
  operationId: string
  summary: string
  /** True when a session is needed: without one no step runs. */
  session?: boolean
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** Where the usual 64 kB and 16 levels of JSON are not enough. */
  maxBody?: { bytes: number; depth: number }
  /** True when `Idempotency-Key` is understood. */
  idempotencyKey?: boolean
  answers: Record<number, RouteAnswer>
  /** Codes this route gives beyond those every route may give. */
  errors?: ErrorCode[]
  steps: RequestHandler[]
}
