/** What the person typed cannot be done; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
