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
  const [, year = '', month, day, hour, minute, second] = match
  const century = Number(year) >= 50 ? '19' : '20'
  const seconds = isoSeconds(`${short ? century : ''}${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (seconds === undefined) throw new DerError('no such time')
  return seconds
}

/** Seconds of an ISO 8601 time as Intel writes it: `2026-11-01T00:00:00Z`. Undefined when it is anything else. */
export function isoSeconds(text: string): UnixSeconds | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return undefined
  const date = new Date(text)
  // The 31st of February may roll over to March: refuse what does not come back as it went in.
  if (Number.isNaN(date.getTime()) || date.toISOString() !== text.replace('Z', '.000Z')) return undefined
  return date.getTime() / 1000
}

/** Throws `time_invalid` unless `now` is a whole number of seconds: NaN would switch every date check off. */
export function requireTime(now: unknown): asserts now is UnixSeconds {
  if (typeof now !== 'number' || !Number.isSafeInteger(now) || now < 0) {
    throw new ServiceError('time_invalid', 'the time to verify at must be a whole number of seconds since 1970')
  }
}
