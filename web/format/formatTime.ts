let format: Intl.DateTimeFormat | undefined

/** A time in the visitor's own language and time zone. Numbers are Unix seconds. */
export function formatTime(time: string | number): string {
  // Making a formatter takes longer than all that a verdict shows: it is made once.
  format ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
  return format.format(new Date(typeof time === 'number' ? time * 1000 : time))
}
