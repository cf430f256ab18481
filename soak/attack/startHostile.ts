import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { HostilePlan, HostileReport } from './hostile/Plan.js'
import type { Order } from './hostile/main.js'

const program = fileURLToPath(new URL('./hostile/main.ts', import.meta.url))

/** The process that plays the hostile users. Theirs are other machines, so it leaves this one's cores to the service. */
export async function startHostile(plan: HostilePlan, seed: number) {
  const child = fork(program, [], { execArgv: ['--import', 'tsx'] })
  if (child.pid) setPriority(child.pid, 19)
  const tell = (order: Order) => void child.send(order)
  const lost = once(child, 'exit').then(([code]) => {
    throw new Error(`the hostile users ended with ${String(code)}`)
  })
  lost.catch(() => undefined)
  const heard = async <T>() => ((await Promise.race([once(child, 'message'), lost])) as [T])[0]
  tell({ plan, seed })
  await heard()
  return {
    start: () => tell('start'),
    /** Everything they saw since the run started. */
    async stop(): Promise<HostileReport> {
      tell('stop')
      return heard<HostileReport>()
    },
    close: () => child.kill(),
  }
}
