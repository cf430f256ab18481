import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Progress } from '../../dev/stack/progress.js'
import { buildProgram } from '../../dev/stack/programs/buildProgram.js'
import { waitUntil } from '../../dev/stack/processes/waitUntil.js'
import type { CheckName } from '../../soak/check/checks.js'
import type { RunFile } from '../../soak/check/RunFile.js'
import { openRun, type RunPlace } from '../../soak/openRun.js'
import { waitForQuiet } from '../../soak/phases/waitForQuiet.js'
import { createLoad } from './createLoad.js'

/** What a rehearsal asks of its stack. */
export interface RigNeeds {
  /** Variables of all programs, and what must happen before users sign in. */
  place?: Pick<RunPlace, 'env' | 'prepare'>
  /** Counts of the checker that this rehearsal may leave above zero, with the reason. */
  expected?: Partial<Record<CheckName, string>>
}

export interface RigOptions {
  folder: string
  progress: Progress
  /** Requests a second. */
  rate: number
}

const users = 3
const quietWithinMs = 240_000

/** A whole stack with two APIs and two workers, users who sign, and the steps of a rehearsal. */
export async function openRig({ place, expected }: RigNeeds, { folder, progress, rate }: RigOptions) {
  const options = { apis: 2, workers: 2, users, seed: Date.now() % 2 ** 32, profile: 'short' as const }
  const run = await openRun(options, {
    folder,
    progress,
    unsentOneIn: 5,
    ...place,
    env: { ...shortWaits, ...place?.env },
  })
  const { world, driver } = run
  const { stack, balancer } = world
  const steps: { doing: string; seconds: number }[] = []
  const notes: string[] = []
  const problems: string[] = []
  const closing: (() => Promise<void>)[] = []
  const load = createLoad(driver, rate)
  /** Variables that were changed by `roll`, for the commands that an operator runs afterwards. */
  const changed: NodeJS.ProcessEnv = {}
  /** Where the checker finds what the rehearsal moved. */
  const evidence: Partial<RunFile> = {}

  const program = (name: string) => {
    const found = stack.programs.get(name)
    if (!found) throw new Error(`the stack has no ${name}`)
    return found
  }
  const namesOf = (kind: string) => [...stack.programs.keys()].filter((name) => name.replace(/-\d+$/, '') === kind)
  const restart = async (name: string, changes: NodeJS.ProcessEnv = {}) => {
    await program(name).stop()
    await program(name).start(changes)
    await waitUntil('the balancer', async () => balancer.ready() === namesOf('api').length, { timeoutMs: 30_000 })
  }

  return {
    run,
    stack,
    load,
    program,
    namesOf,
    folder,
    evidence,
    step: async <T>(doing: string, work: () => Promise<T>): Promise<T> => {
      const start = Date.now()
      const result = await progress.step(doing, work)
      steps.push({ doing, seconds: Math.round((Date.now() - start) / 100) / 10 })
      return result
    },
    /** A figure or a finding for the record. */
    note(line: string): void {
      notes.push(line)
      progress.say(`    ${line}`)
    },
    require(holds: boolean, otherwise: string): void {
      if (!holds) problems.push(otherwise)
    },
    /** Restarts every process of this kind, one after another, with these changes. */
    async roll(kind: 'api' | 'worker' | 'codec' | 'enclave', changes: NodeJS.ProcessEnv = {}): Promise<void> {
      Object.assign(changed, changes)
      for (const name of namesOf(kind)) await restart(name, changes)
    },
    /** `npm run ops -- …`, with the variables that the programs have now. */
    ops(args: readonly string[], changes: NodeJS.ProcessEnv = {}) {
      return runOps(args, { ...stack.env, ...changed, ...changes })
    },
    pause: (seconds: number) => sleep(seconds * 1000),
    /** Until every proof is complete. */
    waitForProofs: () => waitForQuiet(stack.file, quietWithinMs),
    /** Stops the load, waits for every proof and lets the checker, a program of its own, count. */
    async finish() {
      await load.stop()
      await waitForQuiet(stack.file, quietWithinMs)
      const check = await run.check(evidence)
      for (const [name, count] of Object.entries(check.counts)) {
        const reason = expected?.[name as keyof typeof expected]
        if (count > 0 && reason === undefined) problems.push(`${name}: ${count} (${check.examples[name]?.[0] ?? ''})`)
        if (count > 0 && reason !== undefined) notes.push(`${name}: ${count}, as expected: ${reason}`)
      }
      if (load.failed() > 0) problems.push(`${load.failed()} requests failed (${load.statuses()})`)
      return { steps, notes, problems, load: load.figures(), check }
    },
    /** Done once the stack has stopped. */
    atEnd: (work: () => Promise<void>) => void closing.push(work),
    async close(): Promise<void> {
      await world.stop()
      for (const work of closing) await work()
    },
  }
}

export type Rig = Awaited<ReturnType<typeof openRig>>
export type RigResult = Awaited<ReturnType<Rig['finish']>>

/** Receipts of transactions that nobody sends are published after this time, so that some workflows are always open. */
const shortWaits = { PUBLISH_UNSENT_AFTER: '20' }

/** `npm run ops -- …` in a process of its own. */
async function runOps(args: readonly string[], env: NodeJS.ProcessEnv): Promise<{ code: number; output: string }> {
  const program = await buildProgram(new URL('../../ops/main.ts', import.meta.url))
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 3) : 0, output: `${stdout}${stderr}`.trim() })
    })
  })
}
