import { appendFileSync, readFileSync } from 'node:fs'

/** One thing that happened to the system. `at` is milliseconds since 1970. */
export interface TimelineEvent {
  at: number
  /** Since the first event, for people. */
  seconds: number
  kind: string
  target?: string
  detail?: string
  /** Of a kill: until the supervisor had the process serving again. */
  backMs?: number
}

export interface Timeline {
  file: string
  events: TimelineEvent[]
  add(event: Omit<TimelineEvent, 'at' | 'seconds'>): TimelineEvent
}

/** Kept in memory and, line by line, in a file that survives us. */
export function openTimeline(file: string, say: (line: string) => void): Timeline {
  const begun = Date.now()
  const events: TimelineEvent[] = []
  return {
    file,
    events,
    add(event) {
      const at = Date.now()
      const full = { at, seconds: Math.round((at - begun) / 100) / 10, ...event }
      events.push(full)
      appendFileSync(file, `${JSON.stringify(full)}\n`)
      say(
        `${full.seconds.toFixed(1).padStart(7)} s  ${[event.kind, event.target, event.detail].filter(Boolean).join(' ')}`,
      )
      return full
    },
  }
}

export function readTimeline(file: string): TimelineEvent[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as TimelineEvent)
}
