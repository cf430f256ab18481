import { run } from '../../stack/binaries/run.js'
import { networksOf, type Project } from '../compose/Project.js'

export type Networks = Awaited<ReturnType<typeof createNetworks>>

/**
 * The compose file's networks as Linux bridges, and a network namespace for each of `built`. No namespace has a route
 * beyond its bridges. The services that are not built here are the machine itself, on their networks' first address.
 */
export async function createNetworks(project: Project, built: readonly string[], outsideNames: readonly string[]) {
  const { services, networks } = project
  const ip = (...args: string[]) => run('ip', args)
  const names = Object.keys(networks)
  const subnet = (network: string) =>
    (networks[network]?.ipam?.config?.[0]?.subnet ?? `10.214.${names.indexOf(network)}.0/24`).replace(/\.0\/24$/, '')
  /** Of the machine itself on this network, where the local stack's servers answer in place of the compose file's. */
  const gateway = (network: string) => `${subnet(network)}.1`
  /** Of a service on this network. */
  const address = (service: string, network: string) => {
    if (!built.includes(service)) return gateway(network)
    return services[service]?.networks[network]?.ipv4_address ?? `${subnet(network)}.${10 + built.indexOf(service)}`
  }
  const joined = (service: string) => networksOf(project, service)
  const membersOf = (network: string) => Object.keys(services).filter((name) => joined(name).includes(network))

  await ip('link', 'set', 'lo', 'up')
  for (const network of names) {
    const bridge = `net${names.indexOf(network)}`
    await ip('link', 'add', bridge, 'type', 'bridge')
    await ip('address', 'add', `${gateway(network)}/24`, 'dev', bridge)
    await ip('link', 'set', bridge, 'up')
  }
  for (const service of built) {
    await ip('netns', 'add', service)
    await ip('-n', service, 'link', 'set', 'lo', 'up')
    for (const network of joined(service)) {
      const index = names.indexOf(network)
      const outer = `${service}${index}`
      const inner = `eth${index}`
      await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', service)
      await ip('link', 'set', outer, 'master', `net${index}`, 'up')
      await ip('-n', service, 'address', 'add', `${address(service, network)}/24`, 'dev', inner)
      await ip('-n', service, 'link', 'set', inner, 'up')
    }
  }
  return {
    gateway,
    address,
    /** /etc/hosts of a service: the names on its networks, and those of the Internet where it has a way out. */
    hostsOf(service: string): string {
      const lines = joined(service).flatMap((network) => [
        ...membersOf(network).map((name) => `${address(name, network)} ${name}`),
        ...(networks[network]?.internal ? [] : [`${gateway(network)} ${outsideNames.join(' ')}`]),
      ])
      return ['127.0.0.1 localhost', ...lines, ''].join('\n')
    },
  }
}
