import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bringUp } from './bringUp.js'
import { removePostgresData } from './components/placePostgres.js'
import { openLeash } from './processes/Leash.js'
import { takeRunLock } from './processes/runLock.js'
import { silent } from './progress.js'
import { createSimulationPki } from '../pki/index.js'
import { simulationDir } from './settings/makeIdentities.js'
import type { StackOptions } from './StackOptions.js'
import { createStackFile } from './stackFile.js'

const hourMs = 3_600_000

export type Stack = Awaited<ReturnType<typeof startStack>>

/** Starts everything and keeps it running until `stop()`, or until this process ends, however it ends. */
export async function startStack(options: StackOptions) {
  const { dir, progress = silent } = options
  await mkdir(dir, { recursive: true })
  let stopping = false
  const leash = openLeash(() => {
    if (stopping) return
    stopping = true
    void forgetAddresses().then(() => options.onLost?.('The process that holds the programs was killed.'))
  })
  const stackFile = createStackFile(dir)
  let unlock: (() => Promise<void>) | undefined
  // Without the lock, the file belongs to the stack that holds it: a refused second start must not touch it.
  const forgetAddresses = async () => unlock && stackFile.remove()
  // Receipts need collateral of the day on which they are published, so a stack that runs for weeks renews it.
  const renewal = setInterval(() => {
    createSimulationPki(simulationDir(dir)).catch((error: unknown) =>
      progress.say(`  could not renew the simulated collateral: ${String(error)}`),
    )
  }, hourMs).unref()
  /** Ends every program and removes stack.json. */
  const stop = async (): Promise<void> => {
    stopping = true
    clearInterval(renewal)
    await forgetAddresses()
    await leash.close()
    await unlock?.()
  }
  try {
    unlock = await takeRunLock(dir, leash.pid, () => progress.say('  waiting for an earlier run to finish stopping'))
    leash.removeAtEnd(stackFile.path)
    await stackFile.remove()
    if (options.fresh) await forget(dir)
    const running = bringUp({ ...options, progress }, { leash, stackFile, stopping: () => stopping })
    return { ...(await Promise.race([running, cancelled(options.signal)])), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Rejects when the start is cancelled; the caller then stops what runs, and the rest never starts. */
function cancelled(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
}

async function forget(dir: string): Promise<void> {
  await removePostgresData(join(dir, 'postgres'))
  const servers = ['temporal', 'cluster', 'anvil', 'kubo']
  const identities = ['identity-provider', 'satellite', 'simulation', 'channel', 'secrets.json']
  for (const name of [...servers, ...identities, 'logs']) await rm(join(dir, name), { recursive: true, force: true })
}
