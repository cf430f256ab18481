import { ServiceError } from '../errors/index.js'
import type { MeasurementRelease } from '../measurements/index.js'
import type { ReleaseInForce } from './releaseInForce.js'

/**
 * Runs a check of a build on the list in force. Where that list does not have the build but another announced list does,
 * the error is `build_withdrawn` instead of `measurement_unknown`: the build was good once, and was not any more.
 */
export function checkInForce<T>({ release, others }: ReleaseInForce, check: (list: MeasurementRelease) => T): T {
  try {
    return check(release)
  } catch (error) {
    if (!isUnknown(error)) throw error
    const named = others.find((list) => names(list, check))
    if (named === undefined) throw error
    const facts = { ...error.facts, listedIn: named.version, inForce: release.version }
    const message = `list ${named.version} has this build, but list ${release.version} was in force and does not`
    throw new ServiceError('build_withdrawn', message, facts)
  }
}

function names(list: MeasurementRelease, check: (list: MeasurementRelease) => unknown): boolean {
  try {
    check(list)
    return true
  } catch (error) {
    return !isUnknown(error) // refused for another reason, so it is there
  }
}

const isUnknown = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'measurement_unknown'
