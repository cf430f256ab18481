const key = 'perigee.refused'

/** What a worker's codec puts in the place of a payload that it does not take, so that the run can say why. */
export const refusedPayload = (reason: string): Record<string, string> => ({ [key]: reason })

/** Why one of these values was refused; undefined when none was. */
export function refusalIn(values: readonly unknown[]): string | undefined {
  for (const value of values) {
    if (typeof value !== 'object' || value === null || !(key in value)) continue
    return String((value as Record<string, unknown>)[key])
  }
  return undefined
}
