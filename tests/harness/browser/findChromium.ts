import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

// The first has the same engine without the browser around it, and needs half the CPU time.
const light = 'chromium-headless-shell'
const names = [light, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The path of a Chromium: `CHROMIUM_PATH`, then `PATH`. On a CI machine where we are root, the light one is installed.
 * Undefined when there is none: tests then skip and name the reason.
 */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const given = env['CHROMIUM_PATH']
  if (given) return isExecutable(given) ? given : undefined
  if (onPath(env, [light]) === undefined) installInCi(env)
  const found = onPath(env, names)
  if (found) env['CHROMIUM_PATH'] = found // not looked for, nor installed, again
  return found
}

/** What a skipped test says. */
export const chromiumMissing = 'no Chromium: install one, or set CHROMIUM_PATH'

/** A headless browser. No sandbox, because CI runs as root; the pages it opens are ours, from loopback. */
export async function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu'] })
}

function onPath(env: NodeJS.ProcessEnv, wanted: string[]): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return wanted.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

function installInCi(env: NodeJS.ProcessEnv): void {
  if (!env['CI'] || process.getuid?.() !== 0) return
  // Two test files may both find it missing: the second waits for the first.
  const options = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20']
  const run = (...args: string[]) =>
    spawnSync('apt-get', [...options, ...args], { stdio: 'ignore', timeout: 300_000 }).status === 0
  if (run('update') && run('install', '-y', '--no-install-recommends', light)) return
  if (onPath(env, names) === undefined) run('install', '-y', '--no-install-recommends', 'chromium')
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
