import { run } from '../../stack/binaries/run.js'
import { networksOf } from '../compose/Project.js'
import { serverPorts } from './Plan.js'
import type { Deployment } from './startDeployment.js'

/** Throws unless each program runs without privileges, cannot write to its image, and reaches its own servers alone. */
export async function checkIsolation({ project, networks, containers }: Deployment): Promise<string> {
  let reached = 0
  let refused = 0
  for (const [name, container] of Object.entries(containers)) {
    const { Uid = '', CapEff, CapBnd, NoNewPrivs } = container.status()
    const facts = [Uid.split('\t')[0], Number.parseInt(CapEff ?? '', 16), Number.parseInt(CapBnd ?? '', 16), NoNewPrivs]
    if (facts.join() !== '1000,0,0,1') throw new Error(`${name} has privileges: ${facts.join(', ')}`)
    const written = await container.exec('touch', '/perigee-was-here').catch((error: Error) => error.message)
    if (!written.includes('Read-only file system')) throw new Error(`${name} can write to its image: ${written}`)

    const joined = networksOf(project, name)
    for (const [server, port] of Object.entries(serverPorts)) {
      for (const network of networksOf(project, server)) {
        const expected = name === server || joined.includes(network)
        const found = await canConnect(name, networks.address(server, network), port)
        if (found !== expected) {
          throw new Error(`${name} ${found ? 'reaches' : 'does not reach'} ${server} on the network ${network}`)
        }
        if (found) reached += 1
        else refused += 1
      }
    }
  }
  return `${reached} connections that the networks allow, ${refused} that they do not`
}

/** From inside the program's network namespace. */
async function canConnect(namespace: string, host: string, port: number): Promise<boolean> {
  const script = `require('node:net').connect({ host: '${host}', port: ${port}, timeout: 2000 })
    .on('connect', () => process.exit(0)).on('error', () => process.exit(1)).on('timeout', () => process.exit(1))`
  const args = [`--net=/run/netns/${namespace}`, process.execPath, '-e', script]
  return run('nsenter', args).then(
    () => true,
    () => false,
  )
}
