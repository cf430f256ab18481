import type { ErrorCode } from '@perigee/core'

export interface EndedRequest {
  method: string
  /** The route's pattern, or `none`. */
  route: string
  status: number
  seconds: number
  /** The error code, when the answer was a problem. */
  code?: ErrorCode
  /** False when the caller closed the connection before the answer was sent. */
  finished: boolean
}

/** What the API counts. Names, statuses and codes only: never an id, an address or a path from a request. */
export interface ApiMeter {
  requestStarted(): void
  requestEnded(request: EndedRequest): void
  /** A request was refused by the limit of this name. */
  rateLimited(limit: string): void
}

/** Counts nothing: for an API without a metrics port. */
export const noMeter: ApiMeter = {
  requestStarted: () => undefined,
  requestEnded: () => undefined,
  rateLimited: () => undefined,
}
