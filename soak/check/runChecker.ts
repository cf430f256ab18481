import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { CheckReport } from './main.js'

const program = fileURLToPath(new URL('./main.ts', import.meta.url))

/** The checker is a program of its own: nothing that the driver remembers can colour what it sees. */
export function runChecker(runFile: string, evidenceFile?: string): Promise<CheckReport> {
  const more = evidenceFile === undefined ? [] : ['--save-evidence', evidenceFile]
  const args = ['--max-old-space-size=8192', '--import', 'tsx', program, '--run', runFile, ...more]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      try {
        resolve(JSON.parse(text) as CheckReport)
      } catch {
        reject(new Error(`the checker ended with ${code} and said nothing that can be read`))
      }
    })
  })
}
