import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openLeash } from '../processes/Leash.js'
import type { RunOptions } from './run.js'

type LongRun = Required<Pick<RunOptions, 'cwd' | 'env' | 'timeoutMs'>>

/** Runs a long command that must not outlive us: a download or build ends with the process that started it. */
export async function runOnLeash(file: string, args: string[], { cwd, env, timeoutMs }: LongRun): Promise<void> {
  const leash = openLeash()
  const logFile = join(cwd, 'output.log')
  try {
    const command = { file, args, cwd, env, logFile, stopSignal: 'SIGTERM', graceMs: 2_000 } as const
    const program = await leash.spawn(command).catch((error: Error) => {
      throw error.message.includes('ENOENT') ? new Error(`${file} is not installed`) : error
    })
    const timer = setTimeout(() => void program.stop(), timeoutMs)
    const { code } = await program.exited
    clearTimeout(timer)
    if (code === 0) return
    const lines = (await readFile(logFile, 'utf8')).trim().split('\n')
    throw new Error(lines.at(-1)?.trim() || `${file} ended with ${code ?? 'a signal'}`)
  } finally {
    await leash.close()
  }
}
