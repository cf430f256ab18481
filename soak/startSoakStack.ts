import { freePort } from '../dev/stack/processes/freePort.js'
import type { Progress } from '../dev/stack/progress.js'
import { startStack } from '../dev/stack/startStack.js'
import { cheapStart } from '../tests/rigs/failpoints/startMortalWorkers.js'
import { noLimitsText } from '../tests/rigs/api/noLimits.js'
import { proxied, type LinkName } from './chaos/plan.js'
import { createBalancer, type Balancer } from './network/createBalancer.js'
import { createLink, type Link } from './network/createLink.js'

export interface SoakStackOptions {
  dir: string
  apis: number
  workers: number
  progress: Progress
  env?: NodeJS.ProcessEnv
  workerEntry?: string
  /** A Temporal cluster in place of the dev server. */
  cluster: boolean
  /** Programs with less CPU, for `npm test`, where other tests share the cores. */
  thrifty?: boolean
}

/** What `npm start` starts, with several APIs behind a balancer, several workers, and a proxy on every connection. */
export async function startSoakStack(options: SoakStackOptions) {
  const links = {} as Record<LinkName, Link>
  let balancer: Balancer | undefined
  let clusterDatabase: Link | undefined
  const stack = await startStack({
    dir: options.dir,
    ports: 'free',
    cluster: options.cluster,
    thrifty: options.thrifty ?? false,
    async clusterDatabase(postgresPort) {
      clusterDatabase = await createLink(postgresPort)
      return `127.0.0.1:${clusterDatabase.port}`
    },
    progress: options.progress,
    env: {
      ...process.env,
      TEMPORAL_ADDRESS: '',
      RATE_LIMITS: noLimitsText,
      API_DRAIN_SECONDS: '3',
      WORKFLOWS_IN_MAIN_THREAD: String(options.thrifty ?? false),
      ...options.env,
    },
    async arrange(ports, env) {
      const apiPorts = await Promise.all(Array.from({ length: options.apis }, freePort))
      balancer = await createBalancer(apiPorts)
      links['client-api'] = await createLink(balancer.port, ports.api)
      const changed: Record<string, NodeJS.ProcessEnv> = { api: {}, worker: {} }
      for (const name of Object.keys(proxied) as (keyof typeof proxied)[]) {
        const variable = proxied[name]
        const [, host = '', port = '', path = ''] = /^(.*:)(\d+)(\/.*)?$/.exec(env[variable] ?? '') ?? []
        links[name] = await createLink(Number(port))
        Object.assign(changed[name.split('-')[0] ?? ''] ?? {}, { [variable]: `${host}${links[name].port}${path}` })
      }
      return {
        apiPorts,
        workers: options.workers,
        ...(options.thrifty && { nodeFlags: cheapStart }),
        ...(options.workerEntry && { workerEntry: options.workerEntry }),
        envOf: (program) => changed[program.replace(/-\d+$/, '')] ?? {},
      }
    },
  })
  if (!balancer) throw new Error('the stack did not ask for its arrangement')
  /** Every way to Postgres. */
  const databaseLinks = [links['api-postgres'], links['worker-postgres'], ...(clusterDatabase ? [clusterDatabase] : [])]
  const opened: { close(): Promise<void> }[] = [balancer, ...Object.values(links), ...databaseLinks]
  const stop = async () => {
    await stack.stop()
    await Promise.all(opened.map((one) => one.close()))
  }
  return {
    stack,
    links,
    databaseLinks,
    balancer,
    stop,
    beforeStop: (one: { close(): Promise<void> }) => void opened.push(one),
  }
}

export type SoakStack = Awaited<ReturnType<typeof startSoakStack>>
