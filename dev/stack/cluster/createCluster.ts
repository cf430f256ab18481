import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keepJson, replaceFile } from '../../keepFile.js'
import { prepareNamespace } from '../../../temporal/index.js'
import type { ServerPrograms } from '../binaries/index.js'
import type { Component } from '../components/Component.js'
import { createProgram } from '../components/program.js'
import { serviceName } from '../components/names.js'
import { connectTemporal, type StackTemporal } from '../stackTemporal.js'
import { createClusterKeys, frontendName } from './createClusterKeys.js'
import { freeRolePorts, nodes, processName, requireAddresses, roles, type Role } from './layout.js'
import { prepareSchema } from './prepareSchema.js'
import { serverConfig } from './serverConfig.js'

export interface ClusterOptions {
  /** `cluster` below it holds configuration, certificates and tokens. */
  dir: string
  programs: ServerPrograms
  env: NodeJS.ProcessEnv
  /** Where clients reach it: the balancer's port. */
  port: number
  /** Postgres, with an administrator's password. */
  databaseUrl: string
  /** Where the cluster's own processes reach the same Postgres; another address when something stands between. */
  databaseAddress?: string
}

const retentionDays = 30
const dynamicConfigFile = fileURLToPath(new URL('../../../temporal/server/cluster.dynamicconfig.yaml', import.meta.url))
const databaseUser = 'temporal'
/** History reads and writes everything; the others little. */
const connectionsOf = (role: Role) => (role === 'history' ? 20 : 5)

/** A Temporal cluster on this machine: each role twice, mutual TLS, tokens, Postgres. Nothing runs before `start`. */
export async function createCluster(options: ClusterOptions) {
  const { env, port, programs } = options
  await requireAddresses()
  const dir = join(options.dir, 'cluster')
  const keys = await createClusterKeys(join(dir, 'keys'), serviceName)
  const { databasePassword } = await keepJson(join(dir, 'secrets.json'), () => ({
    databasePassword: randomBytes(24).toString('hex'),
  }))
  const ports = await freeRolePorts()
  const { client } = keys.files
  const temporalOf = (token: string): StackTemporal => ({
    temporalAddress: `127.0.0.1:${port}`,
    namespace: serviceName,
    temporalUiUrl: '', // the server has none; a deployment runs temporalio/ui beside it
    temporalAccess: {
      TEMPORAL_TLS_CA: client.ca,
      TEMPORAL_TLS_CERT: client.cert,
      TEMPORAL_TLS_KEY: client.key,
      TEMPORAL_TLS_SERVER_NAME: frontendName,
      TEMPORAL_API_KEY: token,
    },
  })
  const operator = temporalOf(keys.tokens.operator)
  await replaceFile(join(dir, 'operator.env'), operatorFile(operator), 0o600)
  const database = {
    address: options.databaseAddress ?? new URL(options.databaseUrl).host,
    user: databaseUser,
    password: databasePassword,
  }

  const processOf = (role: Role, index: number): Component => {
    const address = nodes[index] ?? ''
    const name = processName(role, index)
    const config = join(dir, `${name}.yaml`)
    const input = { address, ports, files: keys.files, database, dynamicConfigFile }
    return {
      name,
      startTimeoutMs: 120_000,
      graceMs: 20_000, // it drains first
      async prepare() {
        const content = serverConfig({ ...input, connections: connectionsOf(role) })
        await replaceFile(config, JSON.stringify(content, null, 2), 0o600)
      },
      command: () => ({
        file: programs.server,
        args: ['--config-file', config, 'start', '--service', role],
        cwd: dir,
        env,
      }),
      isReady: () => accepts(address, ports[role].membership),
    }
  }
  const all = roles.flatMap((role) => nodes.map((_, index) => processOf(role, index)))
  const [first] = all.filter(({ name }) => name === processName('history', 0))

  return {
    /** What our API and workers use. */
    temporal: temporalOf(keys.tokens.service),
    operator,
    /** Once Postgres serves. `run` starts components and keeps them running. */
    async start(run: (components: Component[]) => Promise<void>): Promise<void> {
      await prepareSchema({ ...options, user: databaseUser, password: databasePassword })
      if (first) await run([first]) // it writes the cluster's identity into a new database
      await run(all.filter((component) => component !== first))
      await run([balancer(port, ports.frontend.grpc, env, operator)])
      const connection = await connectTemporal(operator)
      try {
        await prepareNamespace(connection, serviceName, retentionDays)
      } finally {
        await connection.close()
      }
    },
  }
}

function balancer(port: number, frontendPort: number, env: NodeJS.ProcessEnv, operator: StackTemporal): Component {
  const backends = nodes.map((node) => `${node}:${frontendPort}`).join()
  return createProgram({
    name: 'temporal-balancer',
    entry: 'dev/stack/cluster/balancer.ts',
    env: { ...env, BALANCER_PORT: String(port), BALANCER_BACKENDS: backends },
    async isReady() {
      await (await connectTemporal(operator)).close()
      return true
    },
  })
}

/**
 * Variables that open the cluster as an operator: `set -a; . .perigee/cluster/operator.env`. The Temporal CLI has names of
 * its own for the certificates; `npm test` and our programs use ours.
 */
function operatorFile({ temporalAddress, namespace, temporalAccess }: StackTemporal): string {
  const variables = {
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: namespace,
    ...temporalAccess,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: temporalAccess['TEMPORAL_TLS_CA'],
    TEMPORAL_TLS_CLIENT_CERT_PATH: temporalAccess['TEMPORAL_TLS_CERT'],
    TEMPORAL_TLS_CLIENT_KEY_PATH: temporalAccess['TEMPORAL_TLS_KEY'],
  }
  return Object.entries(variables)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('')
}

/** True once something listens there. Every role listens for other members as soon as it has read the database. */
async function accepts(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port })
  await once(socket, 'connect') // or throws
  socket.destroy()
  return true
}
