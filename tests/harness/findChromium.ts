import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The path of a Chromium: `CHROMIUM_PATH`, then `PATH`. On a CI machine where we are root, it is installed when missing.
 * Undefined when there is none: tests then skip and name the reason.
 */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const given = env['CHROMIUM_PATH']
  if (given) return isExecutable(given) ? given : undefined
  return onPath(env) ?? (installInCi(env) ? onPath(env) : undefined)
}

/** What a skipped test says. */
export const chromiumMissing = 'no Chromium: install one, or set CHROMIUM_PATH'

/** A headless browser. No sandbox, because CI runs as root; the pages it opens are ours, from loopback. */
export async function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu'] })
}

function onPath(env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

function installInCi(env: NodeJS.ProcessEnv): boolean {
  if (!env['CI'] || process.getuid?.() !== 0) return false
  // Two test files may both find it missing: the second waits for the first.
  const wait = ['-o', 'DPkg::Lock::Timeout=300']
  const run = (...args: string[]) =>
    spawnSync('apt-get', [...wait, ...args], { stdio: 'ignore', timeout: 300_000 }).status === 0
  return run('update') && run('install', '-y', '--no-install-recommends', 'chromium')
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
