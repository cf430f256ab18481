import { freePort } from '../dev/stack/processes/freePort.js'
import type { Progress } from '../dev/stack/progress.js'
import { startStack, type Stack } from '../dev/stack/startStack.js'
import type { LinkName } from './chaos/plan.js'
import { createBalancer, type Balancer } from './network/createBalancer.js'
import { createLink, type Link } from './network/createLink.js'

export interface SoakStack {
  stack: Stack
  links: Record<LinkName, Link>
  balancer: Balancer
  /** The programs' environment; the checker needs keys and addresses from it. */
  env: NodeJS.ProcessEnv
  stop(): Promise<void>
}

export interface SoakStackOptions {
  dir: string
  apis: number
  workers: number
  progress: Progress
  env?: NodeJS.ProcessEnv
  workerEntry?: string
}

/** High enough that no rate limit slows a signature down. */
const rateLimits = ['address', 'session', 'sign', 'provision', 'signIn', 'attestation']
  .map((name) => `${name}:10000/10000`)
  .join(',')

/** What `npm start` starts, with several APIs behind a balancer, several workers, and a proxy on every connection. */
export async function startSoakStack(options: SoakStackOptions): Promise<SoakStack> {
  const opened: { close(): Promise<void> }[] = []
  const keep = <T extends { close(): Promise<void> }>(one: T): T => {
    opened.push(one)
    return one
  }
  const between = async (url: string) => {
    const link = keep(await createLink(Number(new URL(url).port)))
    const through = new URL(url)
    through.port = String(link.port)
    return { link, url: through.href.replace(/\/$/, '') }
  }
  let links: Record<LinkName, Link> | undefined
  let balancer: Balancer | undefined
  let programEnv: NodeJS.ProcessEnv = {}
  const stack = await startStack({
    dir: options.dir,
    ports: 'free',
    progress: options.progress,
    env: { ...process.env, RATE_LIMITS: rateLimits, API_DRAIN_SECONDS: '3', ...options.env },
    async arrange(ports, env) {
      programEnv = env
      const apiPorts = await Promise.all(Array.from({ length: options.apis }, freePort))
      balancer = keep(await createBalancer(apiPorts))
      const text = (name: string) => env[name] ?? ''
      const temporal = `tcp://${text('TEMPORAL_ADDRESS')}`
      const ways = {
        'api-temporal': await between(temporal),
        'worker-temporal': await between(temporal),
        'api-postgres': await between(text('DATABASE_URL')),
        'worker-postgres': await between(text('DATABASE_URL')),
        'worker-enclave': await between(text('ENCLAVE_URL')),
        'worker-kubo': await between(text('IPFS_API_URLS')),
        'worker-chain': await between(text('CHAIN_RPC_URLS')),
        'worker-satellite': await between(text('SATELLITE_URL')),
      }
      const clients = keep(await createLink(balancer.port, ports.api.port))
      const made = Object.entries(ways).map(([name, way]) => [name, way.link] as const)
      links = { 'client-api': clients, ...(Object.fromEntries(made) as Record<keyof typeof ways, Link>) }
      const shared = (program: 'api' | 'worker') => ({
        TEMPORAL_ADDRESS: new URL(ways[`${program}-temporal`].url).host,
        DATABASE_URL: ways[`${program}-postgres`].url,
      })
      const worker = {
        ...shared('worker'),
        ENCLAVE_URL: ways['worker-enclave'].url,
        IPFS_API_URLS: ways['worker-kubo'].url,
        CHAIN_RPC_URLS: ways['worker-chain'].url,
        SATELLITE_URL: ways['worker-satellite'].url,
      }
      return {
        apiPorts,
        workers: options.workers,
        ...(options.workerEntry && { workerEntry: options.workerEntry }),
        envOf: (program: string) => (program.startsWith('api') ? shared('api') : worker),
      }
    },
  })
  const stop = async () => {
    await stack.stop()
    await Promise.all(opened.map((one) => one.close()))
  }
  if (!links || !balancer) throw new Error('the stack did not ask for its arrangement')
  return { stack, links, balancer, env: programEnv, stop }
}
