import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../database/index.js'
import { createChannelCertificates } from '../channel/index.js'
import { loadState } from '../identityProvider/loadState.js'
import { createSimulationPki } from '../pki/index.js'
import { createSimulatedRelease } from '../release/index.js'
import { openIdentity, pinOf } from '../satellite/index.js'
import { findPrograms } from './binaries/index.js'
import type { Arrangement } from './Arrangement.js'
import { checkConfiguration } from './settings/checkConfiguration.js'
import { removePostgresData } from './components/placePostgres.js'
import type { Component } from './components/Component.js'
import {
  identityProviderDir,
  programEnvironment,
  publicUrls,
  satelliteDir,
  simulationDir,
} from './settings/environment.js'
import { keepLocalContract, localContractAddress } from './components/localContract.js'
import { freePorts, readPorts, requireFreePorts, type Ports } from './settings/ports.js'
import { openLeash } from './processes/Leash.js'
import { startAll } from './processes/startComponent.js'
import { arrangeApplications, createApplications, createFoundations } from './programs.js'
import { silent, type Progress } from './progress.js'
import { takeRunLock } from './processes/runLock.js'
import { keepSecrets } from './settings/secrets.js'
import { createServers, serverAddresses } from './servers.js'
import { createStackFile, type StackFile } from './stackFile.js'
import { supervise } from './processes/supervise.js'
import { writeTrustAnchors } from './settings/writeTrustAnchors.js'

export interface StackOptions {
  /** Where all data, secrets and logs are kept. */
  dir: string
  /** `free`: any ports, for a stack beside another one. Otherwise the usual ones, moved by the environment. */
  ports: 'free' | 'usual'
  env: NodeJS.ProcessEnv
  /** Forget old data first. */
  fresh?: boolean
  progress?: Progress
  /** Called when the stack can no longer be kept running; it has been stopped. */
  onLost?: (reason: string) => void
  /** Several processes instead of one API, one worker and the web app; asked once the ports are known. */
  arrange?: (ports: Ports, env: NodeJS.ProcessEnv) => Promise<Arrangement>
  /** Gives the start up half-way. */
  signal?: AbortSignal
  /** Changes what the programs are told, for tests that put something between them. Given what they would be told. */
  alter?: (env: NodeJS.ProcessEnv) => Promise<NodeJS.ProcessEnv>
  /** `built`: the static build in `WEB_ROOT` behind its production server, instead of Vite. */
  web?: 'vite' | 'built'
}

export interface Stack {
  file: StackFile
  logs: string
  /** Ends every program and removes stack.json. */
  stop(): Promise<void>
}

/** Starts everything and keeps it running until `stop()`, or until this process ends, however it ends. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { dir, env, progress = silent } = options
  await mkdir(dir, { recursive: true })
  let stopping = false
  const leash = openLeash(() => {
    if (stopping) return
    stopping = true
    void forgetAddresses().then(() => options.onLost?.('The process that holds the programs was killed.'))
  })
  const stackFile = createStackFile(dir)
  let unlock: (() => Promise<void>) | undefined
  // Without the lock the file is that of the stack which has it: a refused second start must leave it alone.
  const forgetAddresses = async () => unlock && stackFile.remove()
  const stop = async () => {
    stopping = true
    await forgetAddresses()
    await leash.close()
    await unlock?.()
  }
  try {
    unlock = await takeRunLock(dir, leash.pid, () => progress.say('  waiting for an earlier run to finish stopping'))
    leash.removeAtEnd(stackFile.path)
    await stackFile.remove()
    if (options.fresh) await forget(dir)
    return { ...(await Promise.race([bringUp(), givenUp(options.signal)])), stop }
  } catch (error) {
    await stop()
    throw error
  }

  async function bringUp(): Promise<{ file: StackFile; logs: string }> {
    const { ports, wrong } =
      options.ports === 'free' ? { ports: await freePorts(), wrong: [] as string[] } : readPorts(env)
    const secrets = await keepSecrets(join(dir, 'secrets.json'))
    const { databasePassword } = secrets
    const servers = serverAddresses({ ports, databasePassword })
    const contractAddress = localContractAddress(secrets)
    const made = await progress.step('development keys and certificates', () => makeIdentities(dir))
    const ownEnv = programEnvironment({ dir, env, ports, servers, secrets, contractAddress, ...made })
    const programEnv = (await options.alter?.(ownEnv)) ?? ownEnv
    checkConfiguration(programEnv, wrong)
    await requireFreePorts(ports)
    await writeTrustAnchors(dir, programEnv)
    const arrangement = await options.arrange?.(ports, programEnv)
    const programs = await findPrograms(env, progress)
    const serverOptions = { ...{ dir, env, ports, programs, databasePassword }, durable: true }

    const logs = join(dir, 'logs')
    const processes: Record<string, number> = {}
    const file: StackFile = {
      ...publicUrls(ports),
      ...servers,
      contractAddress,
      identityProvider: 'dev',
      supervisor: process.pid,
      processes,
    }
    let ready = false
    const changed = (name: string, pid: number | undefined) => {
      if (pid === undefined) delete processes[name]
      else processes[name] = pid
      if (ready && !stopping) void stackFile.write(file)
    }
    const start = async (components: Component[]) => {
      options.signal?.throwIfAborted()
      const running = await startAll(components, leash, logs)
      for (const component of components) {
        const program = running.get(component.name)
        if (!program) continue
        changed(component.name, program.pid)
        supervise(component, program, { leash, logs, changed, say: progress.say, stopping: () => stopping })
      }
    }
    const serverComponents = createServers(serverOptions).map((component) =>
      component.name === 'anvil' ? alsoSettle(component, () => keepLocalContract(servers.rpcUrl, secrets)) : component,
    )
    await progress.step('Postgres, Temporal, anvil, Kubo, identity provider, satellite, enclave', () =>
      start([...serverComponents, ...createFoundations(programEnv, ports)]),
    )
    await progress.step('database schema', async () => (await openDatabase({ url: servers.databaseUrl })).destroy())
    await progress.step('worker, API, web app', () =>
      start(
        arrangement
          ? arrangeApplications(arrangement, programEnv, servers)
          : createApplications(programEnv, ports, servers, options.web),
      ),
    )
    options.signal?.throwIfAborted()
    ready = true
    await stackFile.write(file)
    return { file, logs }
  }
}

/** What the programs know each other by. Made the first time, kept afterwards. */
async function makeIdentities(dir: string) {
  await createSimulationPki(simulationDir(dir))
  createSimulatedRelease(simulationDir(dir))
  return {
    channel: await createChannelCertificates(join(dir, 'channel')),
    oidcClient: (await loadState(identityProviderDir(dir))).client,
    satelliteKeys: JSON.stringify(pinOf(openIdentity(satelliteDir(dir)))),
  }
}

function alsoSettle(component: Component, work: () => Promise<void>): Component {
  return { ...component, settle: async () => (await component.settle?.(), work()) }
}

/** Rejects when the start is given up; what was begun is then stopped by the caller, and the rest never starts. */
function givenUp(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
}

async function forget(dir: string): Promise<void> {
  await removePostgresData(join(dir, 'postgres'))
  for (const name of ['temporal', 'anvil', 'kubo', 'identity-provider', 'satellite', 'simulation', 'channel', 'logs']) {
    await rm(join(dir, name), { recursive: true, force: true })
  }
  await rm(join(dir, 'secrets.json'), { force: true })
}
