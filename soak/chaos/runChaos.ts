import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../../dev/stack/processes/waitUntil.js'
import type { Link } from '../network/createLink.js'
import { reorg } from './reorg.js'
import { signalFamily } from './signalFamily.js'
import type { LinkName, PlannedFault, Target } from './plan.js'
import type { Timeline, TimelineEvent } from './timeline.js'

export interface ChaosWorld {
  /** Kept current by the supervisor: a name is missing while its process is down. */
  processes: Readonly<Record<string, number>>
  /** All processes that should run. */
  names: readonly string[]
  links: Readonly<Record<LinkName, Link>>
  rpcUrl: string
  timeline: Timeline
}

const backWithinMs = 300_000
/** Between two faults, also when the plan is late, so that the effect of each can be seen. */
const pauseMs = 2_000
const patienceMs = 60_000

/** Carries out the plan, one fault after another, each when it is due or when the one before is over. */
export async function runChaos(plan: readonly PlannedFault[], world: ChaosWorld): Promise<void> {
  const start = Date.now()
  const returns: Promise<void>[] = []
  for (const fault of plan) {
    await sleep(Math.max(pauseMs, start + fault.atMs - Date.now()))
    await allBack(world)
    await inflict(fault, world, returns)
  }
  await Promise.all(returns)
}

async function inflict(fault: PlannedFault, world: ChaosWorld, returns: Promise<void>[]): Promise<void> {
  const { timeline, links } = world
  switch (fault.kind) {
    case 'kill':
    case 'freeze': {
      const found = await victim(fault.target, fault.which, world)
      if (!found) return
      const { name, pid } = found
      if (fault.kind === 'freeze') {
        timeline.add({ kind: 'freeze', target: name, detail: `${fault.ms} ms` })
        signalFamily(pid, 'SIGSTOP')
        await sleep(fault.ms)
        return signalFamily(pid, 'SIGCONT')
      }
      const event = timeline.add({ kind: 'kill', target: name, detail: `process ${pid}` })
      signalFamily(pid, 'SIGKILL')
      returns.push(watchReturn(name, pid, event, world))
      return
    }
    case 'link': {
      timeline.add({ kind: 'link', target: fault.link, detail: `${fault.fault} ${fault.ms} ms` })
      links[fault.link].set(fault.fault)
      await sleep(fault.ms)
      links[fault.link].set(null)
      return
    }
    case 'reorg': {
      const problem = await reorg(world.rpcUrl, fault.blocks)
      const detail = problem === null ? `${fault.blocks} blocks` : `not done: ${problem.slice(0, 100)}`
      timeline.add({ kind: problem === null ? 'reorg' : 'reorg-skipped', target: 'anvil', detail })
      return
    }
    case 'restart-everything': {
      const all = Object.entries(world.processes)
      const event = timeline.add({ kind: 'restart-everything', detail: `${all.length} processes killed at once` })
      for (const [, pid] of all) signalFamily(pid, 'SIGKILL')
      await Promise.all(all.map(([name, pid]) => watchReturn(name, pid, event, world)))
      return
    }
  }
}

/** On a slow machine a fault waits until the processes of the one before are back. */
async function allBack({ processes, names }: ChaosWorld): Promise<void> {
  const areBack = async () => names.every((name) => processes[name] !== undefined)
  await waitUntil('all processes', areBack, { timeoutMs: patienceMs }).catch(() => undefined)
}

/** A running process of that kind; waits for one that is being restarted. */
async function victim(target: Target, which: number, world: ChaosWorld) {
  const alive = () => Object.entries(world.processes).filter(([name]) => name.replace(/-\d+$/, '') === target)
  const isAlive = async () => alive().length > 0
  await waitUntil(target, isAlive, { timeoutMs: backWithinMs }).catch(() => undefined)
  const chosen = alive()[which % Math.max(1, alive().length)]
  if (chosen) return { name: chosen[0], pid: chosen[1] }
  return void world.timeline.add({ kind: 'not-back', target })
}

/** Notes on the event when the process serves again, or that it never did. */
async function watchReturn(name: string, pid: number, event: TimelineEvent, world: ChaosWorld): Promise<void> {
  if (!(await isBackInTime(name, pid, world))) return
  event.backMs = Math.max(event.backMs ?? 0, Date.now() - event.at)
}

/** Whether another process has taken the place of this one within five minutes. If not, the timeline says so. */
export async function isBackInTime(
  name: string,
  pid: number,
  { processes, timeline }: Pick<ChaosWorld, 'processes' | 'timeline'>,
): Promise<boolean> {
  const isBack = async () => processes[name] !== undefined && processes[name] !== pid
  try {
    await waitUntil(name, isBack, { timeoutMs: backWithinMs })
    return true
  } catch {
    timeline.add({ kind: 'not-back', target: name })
    return false
  }
}
