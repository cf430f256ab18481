/** A failure the service answers with, as problem+json. Same codes and statuses as the real service. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly retryAfterSeconds?: number,
    /** Public values, as the service sends them. */
    readonly facts?: Record<string, unknown>,
  ) {
    super(detail)
  }
}
