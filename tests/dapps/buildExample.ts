import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Backend } from './Backend.js'

const root = resolve(import.meta.dirname, '../..')

/** Builds one of the Vite examples for this service. In a process of its own, because tests run with NODE_ENV=test. */
export async function buildExample(name: string, outDir: string, { apiUrl, rpcUrl }: Backend): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'error']
  const env = { ...process.env, NODE_ENV: 'production', VITE_API_URL: apiUrl, VITE_RPC_URL: rpcUrl }
  await promisify(execFile)(process.execPath, args, { cwd: join(root, 'examples', name), env })
}
