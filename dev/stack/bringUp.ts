import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../database/index.js'
import { parseConfig } from '../../workers/config.js'
import { trustAnchorsOf } from '../../workers/trustAnchors.js'
import { chooseTemporal } from './chooseTemporal.js'
import { findKubo, findTemporal, lookForKubo } from './binaries/index.js'
import type { Component } from './components/Component.js'
import { createKubo } from './components/kubo.js'
import { keepLocalContracts, localContractAddresses } from './components/chain/localContracts.js'
import { keepLocalRelease, pinLocalRelease } from './components/chain/localRelease.js'
import { startAll } from './processes/startComponent.js'
import { supervise, type Supervised, type Supervision } from './processes/supervise.js'
import { arrangeApplications, createApplications, createFoundations } from './programs/programs.js'
import { silent, type Progress } from './progress.js'
import { createServers, serverAddresses, type ServerAddresses } from './servers.js'
import { checkConfiguration } from './settings/checkConfiguration.js'
import { programEnvironment, publicUrls } from './settings/environment.js'
import { makeIdentities } from './settings/makeIdentities.js'
import { freePorts, readPorts, requireFreePorts } from './settings/ports.js'
import { keepSecrets, type Secrets } from './settings/secrets.js'
import type { createStackFile, StackFile } from './stackFile.js'
import type { StackOptions } from './StackOptions.js'

interface Keeper extends Pick<Supervision, 'leash' | 'stopping'> {
  stackFile: ReturnType<typeof createStackFile>
}

/** Starts the programs in order: servers and stand-ins, the schema, the applications. Kubo may come last, if it must be built. */
export async function bringUp(options: StackOptions & { progress: Progress }, { leash, stackFile, stopping }: Keeper) {
  const { dir, env, progress, signal } = options
  const { ports, wrong } = options.ports === 'free' ? { ports: await freePorts(), wrong: [] } : readPorts(env)
  const secrets = await keepSecrets(join(dir, 'secrets.json'))
  const { databasePassword } = secrets
  const { temporal, unusedPorts, startTemporal } = await chooseTemporal(options, ports, databasePassword)
  const servers = serverAddresses({ ports, databasePassword, temporal })
  const contracts = localContractAddresses(secrets)
  const made = await progress.step('development keys and certificates', () => makeIdentities(dir))
  const ownEnv = programEnvironment({ dir, env, ports, servers, secrets, ...contracts, ...made })
  const programEnv = (await options.alter?.(ownEnv)) ?? ownEnv
  checkConfiguration(programEnv, wrong)
  await requireFreePorts(ports, unusedPorts)
  // The trust anchors of this stack, so that `npm run verify` beside it can check its simulated receipts.
  await writeFile(join(dir, 'trust-anchors.json'), trustAnchorsOf(parseConfig(programEnv)).bytes)
  const arrangement = await options.arrange?.(ports, programEnv)

  const kubo = options.kubo ? undefined : await lookForKubo(env)
  const lateKubo = kubo ? undefined : (options.kubo ?? findKubo(env, silent))
  lateKubo?.catch(() => undefined) // awaited at the end
  const binaries = { temporal: temporal ? '' : await findTemporal(env, progress), kubo }
  const { thrifty = false } = options
  const serverOptions = { dir, env, ports, programs: binaries, databasePassword, durable: true, thrifty, temporal }

  const logs = join(dir, 'logs')
  const processes: Record<string, number> = {}
  const programs = new Map<string, Supervised>()
  const file: StackFile = {
    ...publicUrls(ports),
    ...servers,
    ...contracts,
    identityProvider: 'dev',
    supervisor: process.pid,
    processes,
  }
  let ready = false
  const changed = (name: string, pid: number | undefined) => {
    if (pid === undefined) delete processes[name]
    else processes[name] = pid
    if (ready && !stopping()) void stackFile.write(file)
  }
  const start = async (components: Component[]) => {
    signal?.throwIfAborted()
    const running = await startAll(components, leash, logs)
    for (const component of components) {
      const program = running.get(component.name)
      if (!program) continue
      changed(component.name, program.pid)
      programs.set(component.name, supervise(component, program, { leash, logs, changed, stopping, say: progress.say }))
    }
  }

  const released = (component: Component) => withRelease(component, dir, servers, secrets)
  const first = [...createServers(serverOptions).map(released), ...createFoundations(programEnv, ports)]
  const names = `Postgres${temporal ? '' : ', Temporal'}, anvil${kubo ? ', Kubo' : ''}`
  await progress.step(`${names}, identity provider, satellite, enclave`, () => start(first))
  await startTemporal?.(start)
  await progress.step('database schema', async () => (await openDatabase({ url: servers.databaseUrl })).destroy())
  const applications = arrangement
    ? arrangeApplications(arrangement, programEnv, servers)
    : createApplications(programEnv, ports, servers, options.web)
  await progress.step('worker, API, web app', () => start(applications))
  signal?.throwIfAborted()
  ready = true
  await stackFile.write(file)
  const kuboStarted = lateKubo?.then((program) => start([released(createKubo(serverOptions, program))]))
  kuboStarted?.catch(() => undefined) // for the caller to handle
  return {
    file,
    /** The variables of its programs. */
    env: programEnv,
    logs,
    /** By name, to stop and start one while the others run. */
    programs: programs as ReadonlyMap<string, Supervised>,
    /** Starts another program beside them. */
    add: (component: Component) => start([component]),
    /** Pending while Kubo is fetched or built: everything else runs, and receipts wait in `pending_pin`. */
    kubo: kuboStarted ?? Promise.resolve(),
  }
}

/** Anvil is ready once it has the contracts and the list of builds is announced, Kubo once it has the list. */
function withRelease(component: Component, dir: string, servers: ServerAddresses, secrets: Secrets): Component {
  const { rpcUrl, ipfsApiUrl } = servers
  const announce = {
    async anvil() {
      await keepLocalContracts(rpcUrl, secrets)
      await keepLocalRelease(dir, rpcUrl, localContractAddresses(secrets).releasesAddress, secrets)
    },
    kubo: () => pinLocalRelease(dir, ipfsApiUrl),
  }[component.name]
  if (!announce) return component
  return {
    ...component,
    async afterStart() {
      await component.afterStart?.()
      await announce()
    },
  }
}
