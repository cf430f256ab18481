/** A time in the visitor's own language and time zone. Numbers are Unix seconds. */
export function formatTime(time: string | number): string {
  const date = new Date(typeof time === 'number' ? time * 1000 : time)
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }).format(date)
}
