import { equalBytes, type Hex, type UnixSeconds } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import { checkReleaseAge, checkSuccession } from './checkSuccession.js'
import { verifyRelease, type MeasurementRelease } from './Release.js'

export interface ReleaseKeeperOptions {
  /** Reads `measurements.json`. Its content is not trusted. */
  read(): Uint8Array
  /** The only key whose lists count. */
  publicKey: Hex
  /** Older lists are refused, at the start too. */
  minimumVersion?: number
  /** The file is read again after this time. */
  everySeconds?: number
}

export interface ReleaseKeeper {
  readonly publicKey: Hex
  /** The list in use. Throws `release_expired` when its time is over. */
  current(at: UnixSeconds): MeasurementRelease
  /** Hears of a new list that is refused: once for each file. */
  onRefused(listener: (refusal: ServiceError) => void): void
}

/**
 * Keeps the list of builds that a program uses. The file is read again while the program runs, so that a withdrawn build
 * ends without a restart. The list only moves forward: an older list, a second one of the same version or one that the
 * key did not sign is refused, and the list in use stays. Throws when there is no good list to start with.
 */
export function createReleaseKeeper(options: ReleaseKeeperOptions): ReleaseKeeper {
  const { publicKey, minimumVersion = 1, everySeconds = 10 } = options
  let file = options.read()
  let current = take(file)
  let readAt: UnixSeconds | undefined
  let listener: (refusal: ServiceError) => void = () => undefined

  function take(bytes: Uint8Array, before?: MeasurementRelease): MeasurementRelease {
    const next = verifyRelease(bytes, publicKey)
    checkSuccession(next, { current: before, minimumVersion })
    return next
  }

  function refresh(): void {
    let found: Uint8Array
    try {
      found = options.read()
    } catch {
      found = new Uint8Array(0) // refused below: what cannot be read is no list
    }
    if (equalBytes(found, file)) return
    file = found
    try {
      current = take(found, current)
    } catch (error) {
      listener(error instanceof ServiceError ? error : new ServiceError('release_invalid', 'not a list', {}, error))
    }
  }

  return {
    publicKey,
    current(at) {
      // A clock that was set back must not keep an old list in use.
      if (readAt === undefined || Math.abs(at - readAt) >= everySeconds) {
        refresh()
        readAt = at
      }
      checkReleaseAge(current, at)
      return current
    },
    onRefused: (next) => void (listener = next),
  }
}
