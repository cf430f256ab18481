export interface DescribedError {
  error: string
  stack?: string
  cause?: DescribedError
}

/** For logs: kind, message and stack of an error and its causes, without their other properties, which may hold secrets. */
export function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) return { error: typeof error }
  return {
    error: `${error.name}: ${error.message}`,
    ...(error.stack && { stack: error.stack }),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  }
}
