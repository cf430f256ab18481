import { run, type ExitCode } from '../run.js'

export interface Outcome {
  exit: ExitCode
  stdout: string
  stderr: string
}

/** Runs the program's own function, with its output kept. */
export async function runInProcess(args: readonly string[], cwd = '/', now = 1_800_000_000): Promise<Outcome> {
  const out: string[] = []
  const err: string[] = []
  const exit = await run(args, {
    cwd,
    now: () => now,
    print: (line) => out.push(line),
    progress: (line) => err.push(line),
  })
  return { exit, stdout: out.join('\n'), stderr: err.join('\n') }
}

/** The JSON a run printed. */
export const jsonOf = (outcome: Outcome): Record<string, unknown> =>
  JSON.parse(outcome.stdout) as Record<string, unknown>
