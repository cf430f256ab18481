import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { CheckReport } from './main.js'

const program = fileURLToPath(new URL('./main.ts', import.meta.url))

/** Runs the checker as a separate program, so that it sees nothing of the driver's memory. */
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
        reject(new Error(`the checker ended with ${code} and printed no report`))
      }
    })
  })
}
