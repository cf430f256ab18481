/** The command was wrong, not the evidence: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
