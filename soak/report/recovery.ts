import { quantile } from '../../tests/quantile.js'
import type { TimelineEvent } from '../chaos/timeline.js'
import type { Attempt } from '../load/createDriver.js'

export const componentOf = (target: string) => target.replace(/-\d+$/, '')

/** The events that disturb the service. */
export const faultsIn = (events: readonly TimelineEvent[]) =>
  events.filter(({ kind }) => ['kill', 'freeze', 'link', 'reorg', 'restart-everything'].includes(kind))

/** What each kill cost, from the timeline and the clients' requests: sign-ins for the identity provider, signing for the rest. */
export function measureRecovery(
  events: readonly TimelineEvent[],
  signing: readonly Attempt[],
  signIns: readonly Attempt[],
) {
  const faults = faultsIn(events)
  const measured = faults
    .filter(({ kind }) => kind === 'kill')
    .map((kill) => {
      const component = componentOf(kill.target ?? '')
      const seen = component === 'identity-provider' ? signIns : signing
      const ms = firstSuccess(seen, kill.at)
      const others = faults.filter((other) => other !== kill)
      const until = kill.at + Math.max(ms ?? 0, kill.backMs ?? 0)
      const single =
        ms !== null && !others.some(({ at, backMs = 5_000 }) => at < until && at + Math.max(backMs, 5_000) > kill.at)
      return { component, ms, single, backMs: kill.backMs ?? null }
    })
  return [...new Set(measured.map(({ component }) => component))].sort().map((component) => {
    const own = measured.filter((kill) => kill.component === component)
    const times = own.flatMap(({ single, ms }) => (single && ms !== null ? [ms] : []))
    const backs = own.flatMap(({ single, backMs }) => (single && backMs !== null ? [backMs] : []))
    return {
      component,
      kills: own.length,
      /** Kills with no other fault near them. Only these show the cost of one kill, in milliseconds. */
      single: times.length,
      /** From the kill to the end of the first successful request that started after it. */
      p50Ms: quantile(times, 0.5),
      maxMs: quantile(times, 1),
      /** From the kill until the supervisor had the process serving again. */
      backP50Ms: quantile(backs, 0.5),
      backMaxMs: quantile(backs, 1),
    }
  })
}

function firstSuccess(attempts: readonly Attempt[], at: number): number | null {
  const times = attempts.filter(({ from, status }) => from >= at && status === 200).map(({ to }) => to - at)
  return times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b))
}
