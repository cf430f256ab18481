/** SQLSTATE: connection exceptions (08), shutting down, crashed or starting (57P), too many connections. */
const away = /^(08...|57P0[1-3]|53300|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND)$/
/** What the driver says without a code. */
const phrases =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** Whether an error means that the database cannot be reached just now, so that asking again may help. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, driverError } = error as { code?: unknown; driverError?: unknown }
  if (typeof code === 'string' && away.test(code)) return true
  return (
    phrases.test(error.message) || (driverError !== undefined && driverError !== error && isDatabaseAway(driverError))
  )
}
