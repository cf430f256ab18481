import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { ConfigError } from '@perigee/core/config'
import { TemporalProblem } from '../../temporal/index.js'
import { BinaryMissing } from './binaries/index.js'
import { repositoryRoot } from './components/program.js'
import { PortsTaken } from './settings/ports.js'
import { ComponentFailed } from './processes/startComponent.js'
import { createProgress, elapsed } from './progress.js'
import { AlreadyRunning } from './processes/runLock.js'
import type { StackFile } from './stackFile.js'
import { startStack, type Stack } from './startStack.js'
import { whenLauncherDies } from './processes/whenLauncherDies.js'

const startedAt = Date.now()
const progress = createProgress(process.stdout)
const known = new Set(['--fresh', '--cluster'])

const unknown = process.argv.slice(2).filter((argument) => !known.has(argument))
if (unknown.length > 0) {
  console.error(`npm start does not know ${unknown.join(' ')}; see: npm start -- --help`)
  process.exit(1)
}
const env = { ...readEnvFile(), ...process.env }
const dir = resolve(repositoryRoot, env['PERIGEE_DIR'] || '.perigee')

let stack: Stack | undefined
let asked: string | undefined
const stopping = new AbortController()

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal))
whenLauncherDies(() => void stop('npm was killed'))

try {
  progress.say(`Data and logs are kept in ${relative(process.cwd(), dir) || '.'}.`)
  const [fresh, cluster] = [process.argv.includes('--fresh'), process.argv.includes('--cluster')]
  const { signal } = stopping
  stack = await startStack({ dir, ports: 'usual', env, progress, fresh, cluster, onLost: fail, signal })
  progress.say(`\nPerigee is ready (${elapsed(Date.now() - startedAt)}).\n`)
  progress.say(addressTable(stack.file, relative(process.cwd(), stack.logs) || stack.logs))
  progress.say('\nCtrl-C stops everything; data is kept. `npm start -- --fresh` starts over.')
  if (!stack.file.processes['kubo']) await waitForKubo(stack)
} catch (error) {
  if (asked) process.exit(0)
  fail(describe(error))
}

/** The addresses a person wants to open or point a tool at. */
function addressTable(file: StackFile, logs: string): string {
  const database = new URL(file.databaseUrl)
  const notYet = file.processes['kubo'] ? '' : '  (not running yet)'
  const rows = [
    ['Web app', file.webUrl],
    ['API', file.apiUrl],
    ...(file.temporalUiUrl ? [['Temporal UI', `${file.temporalUiUrl}/namespaces/${file.namespace}/workflows`]] : []),
    ['Temporal', `${file.temporalAddress}  namespace ${file.namespace}`],
    ['Chain', `${file.rpcUrl}  chain ${file.chainId} (anvil)`],
    ['Contract', file.contractAddress],
    ['IPFS', `${file.ipfsApiUrl}  gateway ${file.ipfsGatewayUrl}${notYet}`],
    ['Postgres', `${database.host}${database.pathname}  address with password in stack.json`],
    ['Logs', logs],
  ]
  const width = Math.max(...rows.map(([name = '']) => name.length)) + 2
  return rows.map(([name = '', value = '']) => `  ${name.padEnd(width)}${value}`).join('\n')
}

/** Everything else works meanwhile; if Kubo cannot be had, the rest keeps running and the person learns what to do. */
async function waitForKubo({ kubo }: Stack): Promise<void> {
  progress.say('\nKubo, the IPFS node, is not on this machine yet. Until it runs, proofs wait in pending_pin.')
  await progress
    .step('fetching or building Kubo (6 to 9 minutes if it must be built)', () => kubo)
    .then(
      () => progress.say('IPFS is ready; waiting proofs go on within a minute.'),
      (error: unknown) =>
        progress.say(`${describe(error)}\nProofs keep waiting in pending_pin until you start again with it.`),
    )
}

/** Stops once; a second Ctrl-C exits immediately, and the leash still ends every program. */
async function stop(reason: string): Promise<void> {
  if (asked) process.exit(130)
  asked = reason
  progress.say(`\nStopping (${reason}).`)
  stopping.abort()
  if (!stack) return // the start notices, and stops what it started
  await stack.stop()
  progress.say('Everything has stopped.')
  process.exit(0)
}

function fail(reason: string): never {
  console.error(reason)
  process.exit(1)
}

/** Tells people what to do; only unexpected errors come with a stack trace. */
function describe(error: unknown): string {
  if (error instanceof ConfigError) return error.problems.join('\n')
  const expected = [AlreadyRunning, BinaryMissing, ComponentFailed, PortsTaken, TemporalProblem]
  if (expected.some((kind) => error instanceof kind)) return (error as Error).message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function readEnvFile(): NodeJS.ProcessEnv {
  try {
    return parseEnv(readFileSync(join(repositoryRoot, '.env'), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}
