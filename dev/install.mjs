// Plain JavaScript that old versions of Node can read, because it runs before anything is installed.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const readJson = (name) => JSON.parse(readFileSync(root + name, 'utf8'))

/** Ends the process with one line when this Node is older than package.json allows. */
export function requireNode() {
  const wanted = readJson('package.json').engines.node.replace('>=', '')
  if (process.versions.node.localeCompare(wanted, 'en', { numeric: true }) >= 0) return
  console.error(`Perigee needs Node ${wanted} or newer; this is ${process.versions.node}. See https://nodejs.org`)
  process.exit(1)
}

/** Whether node_modules holds what package-lock.json names, as far as this platform needs it. */
function isInstalled() {
  try {
    const wanted = readJson('package-lock.json').packages
    const present = readJson('node_modules/.package-lock.json').packages
    return Object.entries(wanted).every(([path, { version, optional, link }]) => {
      if (!path.includes('node_modules/') || link) return true
      return present[path] ? present[path].version === version : optional === true
    })
  } catch {
    return false
  }
}

/** Installs the dependencies when they are missing or stale, and shows how long it takes. */
export async function ensureInstalled() {
  if (isInstalled()) return
  const startedAt = Date.now()
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)}s`
  const clear = process.stdout.isTTY ? '\r\u001b[K' : ''
  const show = () => process.stdout.write(`${clear}  … installing dependencies  ${seconds()}${clear ? '' : '\n'}`)
  const tick = setInterval(show, process.stdout.isTTY ? 250 : 15000)
  show()
  const { code, errors } = await npmInstall()
  clearInterval(tick)
  if (code === 0) return void process.stdout.write(`${clear}  ✓ installing dependencies  ${seconds()}\n`)
  const reason = /npm error (?!A complete|code|errno)(.+)/.exec(errors)?.[1].trim() || 'npm ended early'
  console.error(`${clear}  ✗ The dependencies could not be installed (${reason}).
    Check the network and run \`npm install\`; without a network, copy node_modules from a clone that has it.`)
  process.exit(1)
}

function npmInstall() {
  // Installs what the lock file says, as `npm ci` does, but keeps the packages that are already right.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath
  const usesNpm = npm && /npm-cli\.c?js$/.test(npm)
  const child = usesNpm
    ? spawn(process.execPath, [npm, ...args], { cwd: root })
    : spawn('npm', args, { cwd: root, shell: process.platform === 'win32' })
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += chunk))
  child.stdout.resume()
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 1, errors: `npm error ${error.message}` }))
    child.on('close', (code) => resolve({ code, errors }))
  })
}
