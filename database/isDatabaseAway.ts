/** SQLSTATE: connection exceptions (08), out of resources (53), shutting down, crashed or starting (57P); and sockets. */
const away = /^(08...|53...|57P0[1-3]|ECONN[A-Z]+|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_[A-Z]+)$/
/** What the driver says without a code. */
const phrases =
  /^(Connection (terminated|timeout|ended)|timeout exceeded when trying to connect|Client has encountered a connection error)/i
/** What TypeORM says of a transaction whose connection died between two of its statements. */
const released = /^QueryRunner(Provider)?AlreadyReleasedError$/

/** Whether an error means that the database cannot be reached just now, so that asking again may help. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, driverError } = error as { code?: unknown; driverError?: unknown }
  if (typeof code === 'string' && away.test(code)) return true
  if (phrases.test(error.message) || released.test(error.name)) return true
  return driverError !== undefined && driverError !== error && isDatabaseAway(driverError)
}
