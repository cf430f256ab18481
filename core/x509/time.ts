import type { UnixSeconds } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import { DerError, tag, type DerElement } from './der.js'

/** Seconds of an X.509 Time: UTCTime or GeneralizedTime, both ending in Z, without fractions (RFC 5280 4.1.2.5). */
export function readTime(element: DerElement): UnixSeconds {
  const text = String.fromCharCode(...element.content.subarray(0, 20))
  const short = element.tag === tag.utcTime ? /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text) : null
  const long = element.tag === tag.generalizedTime ? /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text) : null
  const match = short ?? long
  if (!match || element.content.length !== text.length) throw new DerError('not a time')
  const [year, ...rest] = match.slice(1).map(Number) as Moment
  const seconds = secondsOf([short ? year + (year >= 50 ? 1900 : 2000) : year, ...rest])
  if (seconds === undefined) throw new DerError('no such time')
  return seconds
}

type Moment = [year: number, month: number, day: number, hour: number, minute: number, second: number]

/** Seconds of an ISO 8601 time as Intel writes it: `2026-11-01T00:00:00Z`. Undefined when it is anything else. */
export function isoSeconds(text: string): UnixSeconds | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z$/.exec(text)
  return match ? secondsOf(match.slice(1).map(Number) as Moment) : undefined
}

function secondsOf([year, month, day, hour, minute, second]: Moment): UnixSeconds | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  // The 31st of February rolls over to March: refuse what does not come back as it went in.
  const same =
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second
  return same ? date.getTime() / 1000 : undefined
}

/** Throws `time_invalid` unless `now` is a whole number of seconds: NaN would switch every date check off. */
export function requireTime(now: unknown): asserts now is UnixSeconds {
  if (typeof now !== 'number' || !Number.isSafeInteger(now) || now < 0) {
    throw new ServiceError('time_invalid', 'the time to verify at must be a whole number of seconds since 1970')
  }
}
