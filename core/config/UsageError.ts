/** A command line that cannot be followed. Programs print the message and exit with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
