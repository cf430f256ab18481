import { appendFileSync } from 'node:fs'

/** One event of a run. `at` is milliseconds since 1970. */
export interface TimelineEvent {
  at: number
  /** Since the start of the run. */
  seconds: number
  kind: string
  target?: string
  detail?: string
  /** Of a kill: until the supervisor had the process serving again. */
  backMs?: number
}

export type Timeline = ReturnType<typeof openTimeline>

/** Kept in memory and, line by line, in a file that survives this process. */
export function openTimeline(file: string, say: (line: string) => void) {
  const start = Date.now()
  const events: TimelineEvent[] = []
  return {
    file,
    events,
    add(event: Omit<TimelineEvent, 'at' | 'seconds'>): TimelineEvent {
      const at = Date.now()
      const full = { at, seconds: Math.round((at - start) / 100) / 10, ...event }
      events.push(full)
      appendFileSync(file, `${JSON.stringify(full)}\n`)
      say(
        `${full.seconds.toFixed(1).padStart(7)} s  ${[event.kind, event.target, event.detail].filter(Boolean).join(' ')}`,
      )
      return full
    },
  }
}
