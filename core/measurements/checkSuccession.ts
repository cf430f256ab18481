import { canonicalJson, type UnixSeconds } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import type { MeasurementRelease } from './Release.js'

/**
 * Decides whether a program that uses `current` may use `next` instead. Versions only go up, and one version is one
 * list: throws `release_rollback` or `release_conflict`.
 */
export function checkSuccession(
  next: MeasurementRelease,
  { current, minimumVersion = 1 }: { current?: MeasurementRelease | undefined; minimumVersion?: number },
): void {
  const least = Math.max(minimumVersion, current?.version ?? 1)
  if (next.version < least) {
    const facts = { version: next.version, least }
    throw new ServiceError('release_rollback', 'this list of builds is older than the one in use', facts)
  }
  if (current && next.version === current.version && canonicalJson(next) !== canonicalJson(current)) {
    const { version } = next
    throw new ServiceError('release_conflict', 'there are two lists of builds of this version', { version })
  }
}

/** Throws `release_expired` when the list says that it is not to be used at this time any more. */
export function checkReleaseAge({ version, expiresAt }: MeasurementRelease, at: UnixSeconds): void {
  if (expiresAt !== undefined && at * 1000 >= Date.parse(expiresAt)) {
    throw new ServiceError('release_expired', 'this list of builds has expired', { version, expiresAt })
  }
}
