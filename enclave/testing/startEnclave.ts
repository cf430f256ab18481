import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const buildScript = fileURLToPath(new URL('../build.mjs', import.meta.url))

/** As in the Dockerfile. */
const flags = ['--disable-proto=delete', '--disallow-code-generation-from-strings']

/** Builds the enclave's bundle into a folder; returns its path and the hash the build printed. */
export async function buildBundle(dir: string): Promise<{ file: string; sha256: string }> {
  const file = join(dir, 'enclave.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [buildScript, file])
  return { file, sha256: stdout.trim() }
}

export type RunningEnclave = Awaited<ReturnType<typeof startEnclave>>

/** The enclave program as a process of its own, ready to answer. */
export async function startEnclave(bundle: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [...flags, bundle], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const problems: string[] = []
  child.stderr.on('data', (chunk: Buffer) => problems.push(chunk.toString('utf8')))
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const started = await new Promise<Record<string, unknown>>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const parsed = JSON.parse(line) as Record<string, unknown>
      if ('listening' in parsed) resolve(parsed)
    })
    void exited.then(() => reject(new Error(`the enclave ended: ${problems.join('')}`)))
  })
  return {
    process: child,
    port: started.listening as number,
    /** The line it printed when it was ready. */
    started,
    stop: async (signal: NodeJS.Signals = 'SIGTERM') => {
      child.kill(signal)
      await exited
    },
  }
}
