import { execFile } from 'node:child_process'

export interface RunOptions {
  cwd?: string
  env?: NodeJS.ProcessEnv
  timeoutMs?: number
  uid?: number
  gid?: number
}

/** Runs a program to its end and gives what it printed; a failure carries its last line, which is what a person needs. */
export function run(file: string, args: string[], options: RunOptions = {}): Promise<string> {
  const { timeoutMs = 30_000, ...rest } = options
  const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: 16 * 1024 * 1024 } as const
  return new Promise((resolve, reject) => {
    execFile(file, args, { ...rest, ...limits }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout)
      if ('code' in error && error.code === 'ENOENT') return reject(new Error(`${file} is not installed`))
      if (error.killed) return reject(new Error(`${file} did not finish in time`))
      const lines = `${stdout}\n${stderr}`.trim().split('\n')
      reject(new Error(lines.at(-1)?.trim() || error.message))
    })
  })
}
