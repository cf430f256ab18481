import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/harness/LongestFirst.js'

const ignored = ['**/node_modules/**', '**/dist/**', '**/.next/**', '.perigee/**']
const slow = '**/*.slow.test.{ts,tsx}'
const system = '**/*.system.test.{ts,tsx}'
// These end a test that hangs; they measure nothing, because a busy machine can be ten times slower than a quiet one.
const patient = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 180_000 } } }
const cores = availableParallelism()
const execArgv = ['--max-semi-space-size=64'] // a tenth less CPU in all: less garbage collection

// System tests wait half of their time: for blocks, time-outs, restarts. The others compute, after them.
const waiting = { maxWorkers: cores + 2, sequence: { groupOrder: 0 } }
const computing = { maxWorkers: cores + 1, sequence: { groupOrder: 1 } }

// Three kinds of test. `unit` needs nothing but Node and is fast: the daily loop. `slow` also needs nothing, but starts
// browsers, compilers or programs, or waits or computes for seconds. `system` runs on real components, started once by the
// global set-up. Temporal's native module does not work in worker threads, so all run in processes.
export default defineConfig({
  test: {
    pool: 'forks',
    execArgv,
    isolate: false, // modules are loaded once per process, not once per file
    sequence: { sequencer: LongestFirst },
    silent: 'passed-only',
    slowTestThreshold: 10_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...ignored, slow, system],
          ...computing,
          testTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: [slow],
          exclude: ignored,
          ...computing,
          setupFiles: ['tests/harness/withoutCallStacks.ts'],
          ...patient,
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: [system],
          exclude: ignored,
          ...waiting,
          globalSetup: ['tests/harness/globalSetup.ts'],
          // V8 optimises later: much of this code runs a few dozen times, and compiling it took a sixth of the CPU.
          execArgv: [...execArgv, '--interrupt-budget=600000'],
          setupFiles: ['tests/harness/withoutCallStacks.ts'],
          ...patient,
        },
      },
    ],
  },
})
