import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ChannelFiles } from '../../../core/x509/testing/createChannelCertificates.js'
import { repositoryRoot } from '../../stack/components/program.js'
import type { Progress } from '../../stack/progress.js'
import type { Stack } from '../../stack/startStack.js'
import { networksOf, readProject, type Project } from '../compose/Project.js'
import { startContainer, type Container } from './Container.js'
import { createNetworks, type Networks } from './createNetworks.js'
import { deploymentOf } from './deploymentOf.js'
import { openByName, openFront, openRelay } from './openFront.js'
import { hosts, serverPorts, type Plan } from './Plan.js'

const healthyWithinMs = 180_000

export type Deployment = Awaited<ReturnType<typeof startDeployment>>

/** Starts every image with what the compose file says, on the stack's servers, in the compose file's order. */
export async function startDeployment({ dir, images }: Plan, stack: Stack, front: ChannelFiles, progress: Progress) {
  const files = [join(repositoryRoot, 'docker-compose.yml'), join(repositoryRoot, 'dev/images/prove/override.yml')]
  const project = await readProject(dir, files, deploymentOf(stack.env, dir, front.ca))
  const built = Object.keys(images)
  const networks = await createNetworks(project, built, Object.values(hosts))
  await openServers(project, networks, stack)
  const outside = Object.keys(project.networks).filter((name) => !project.networks[name]?.internal)
  const upstreams = {
    [hosts.api]: 8080,
    [hosts.app]: 5173,
    [hosts.operators]: 8234,
    [hosts.identity]: portOf(stack.env['IDENTITY_PROVIDER_PORT']),
  }
  await openFront(front, upstreams, ['127.0.0.1', ...outside.map(networks.gateway)])

  const logs = join(dir, 'logs')
  mkdirSync(logs, { recursive: true })
  const start = (name: string, command?: string[]) => {
    const service = project.services[name]
    const image = images[name]
    if (!service || !image) throw new Error(`the compose file has no ${name}`)
    return startContainer({
      name: command ? `${name}-job` : name,
      service,
      image: image.config,
      rootfs: image.rootfs,
      namespace: name,
      hosts: networks.hostsOf(name),
      dir: logs,
      ...(command && { command }),
    })
  }
  await progress.step('migrate, from the image of the API', async () => {
    const code = await start('api', ['node', 'dist/migrate.mjs']).exited
    if (code !== 0) throw new Error(`migrate ended with ${code}; see ${join(logs, 'api-job.log')}`)
  })
  const containers: Record<string, Container> = {}
  for (const name of inOrder(project, built)) {
    const container = start(name)
    containers[name] = container
    await progress.step(`${name}, until its health check passes`, () => container.whenHealthy(healthyWithinMs))
  }
  return { project, networks, containers }
}

/** The servers that the stack runs, at the addresses that the compose file gives them, and the published ports. */
async function openServers(project: Project, networks: Networks, { env, file }: Stack): Promise<void> {
  const running: Record<Exclude<keyof typeof serverPorts, 'enclave'>, string> = {
    postgres: file.databaseUrl,
    temporal: `tcp://${file.temporalAddress}`,
    'temporal-ui': file.temporalUiUrl,
    kubo: file.ipfsApiUrl,
  }
  for (const [name, url] of Object.entries(running) as [keyof typeof running, string][]) {
    const local = { host: '127.0.0.1', port: portOf(new URL(url).port) }
    for (const network of networksOf(project, name)) {
      await openRelay({ host: networks.gateway(network), port: serverPorts[name] }, local)
    }
  }
  const chain = { [hosts.chain]: portOf(new URL(file.rpcUrl).port) }
  const satellite = { [hosts.satellite]: portOf(env['SATELLITE_PORT']) }
  await openByName({ host: networks.gateway('worker-outside'), port: 80 }, { ...chain, ...satellite })
  await openByName({ host: networks.gateway('api-outside'), port: 80 }, chain) // for wallets' balances
  for (const [name, { ports = [] }] of Object.entries(project.services)) {
    const way = networksOf(project, name).find((one) => !project.networks[one]?.internal)
    for (const { host_ip = '', published, target } of ports) {
      if (!way || name === 'kubo') continue // its swarm: the local node has no peers
      await openRelay({ host: host_ip, port: Number(published) }, { host: networks.address(name, way), port: target })
    }
  }
}

/** Who waits for whom, as `depends_on` says. */
function inOrder({ services }: Project, names: string[]): string[] {
  const done = new Set<string>()
  const visit = (name: string) => {
    if (done.has(name)) return
    for (const needed of Object.keys(services[name]?.depends_on ?? {})) visit(needed)
    done.add(name)
  }
  names.forEach(visit)
  return [...done].filter((name) => names.includes(name))
}

const portOf = (text: string | undefined) => Number(text)
