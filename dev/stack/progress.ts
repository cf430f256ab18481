/** Shows what is being done and for how long. On a terminal one line is rewritten; elsewhere a line comes every 15 s. */
export interface Progress {
  step<T>(doing: string, work: () => Promise<T>, options?: { quietFailure?: boolean }): Promise<T>
  say(line: string): void
}

/** 75_000 -> "1m 15s" */
export function elapsed(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 10) return `${seconds.toFixed(1)}s`
  if (seconds < 60) return `${Math.round(seconds)}s`
  return `${Math.floor(seconds / 60)}m ${Math.round(seconds % 60)}s`
}

/** Progress written to a stream, usually standard output. */
export function createProgress(out: NodeJS.WriteStream): Progress {
  const clear = out.isTTY ? '\r\u001b[K' : ''
  return {
    say: (line) => void out.write(`${clear}${line}\n`),
    async step(doing, work, { quietFailure = false } = {}) {
      const startedAt = Date.now()
      const line = (mark: string) => `${clear}  ${mark} ${doing}  ${elapsed(Date.now() - startedAt)}`
      const remind = () => out.write(out.isTTY ? line('…') : `${line('…')}\n`)
      const tick = setInterval(remind, out.isTTY ? 250 : 15_000)
      try {
        const result = await work()
        out.write(`${line('✓')}\n`)
        return result
      } catch (error) {
        out.write(quietFailure ? clear : `${line('✗')}\n`)
        throw error
      } finally {
        clearInterval(tick)
      }
    },
  }
}

/** Prints nothing. */
export const silent: Progress = { step: (_doing, work) => work(), say: () => undefined }
