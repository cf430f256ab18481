import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '../..')

/** Builds the pages as for production. */
export const buildPages = (outDir: string, ...flags: string[]): Promise<void> => buildWithVite('web', outDir, flags)

/** Builds what Vite builds in this folder as for production. In a process of its own, because tests run with NODE_ENV=test. */
export async function buildWithVite(
  folder: string,
  outDir: string,
  flags: string[] = [],
  variables: Record<string, string> = {},
): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'error', ...flags]
  const env = { ...process.env, NODE_ENV: 'production', ...variables }
  await promisify(execFile)(process.execPath, args, { cwd: join(root, folder), env })
}
