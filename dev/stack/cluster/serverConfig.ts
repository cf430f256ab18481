import { frontendName, internodeName, type ClusterKeys } from './createClusterKeys.js'
import { roles, type RolePorts } from './layout.js'

export interface ServerConfigInput {
  /** Of this process; all processes use the same ports. */
  address: string
  ports: RolePorts
  files: ClusterKeys['files']
  database: { address: string; user: string; password: string }
  dynamicConfigFile: string
  /** Database connections of this process, at most. */
  connections: number
}

/**
 * The configuration file of one process of the cluster (JSON, which is YAML too). Every process lists all roles, because
 * they reach each other by these ports; `--service` picks the one that runs. A deployment differs in addresses only.
 */
export function serverConfig(input: ServerConfigInput): object {
  const { address, ports, files, database, connections } = input
  const store = (databaseName: string, maxConns: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: database.address,
      connectProtocol: 'tcp',
      user: database.user,
      password: database.password,
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  })
  const services = roles.map((role) => {
    const { grpc, membership } = ports[role]
    return [role, { rpc: { grpcPort: grpc, membershipPort: membership, bindOnIP: address } }]
  })
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      numHistoryShards: 512, // cannot be changed once the cluster has data
      defaultStore: 'default',
      visibilityStore: 'visibility',
      datastores: { default: store('temporal', connections), visibility: store('temporal_visibility', 5) },
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: address },
      tls: tls(files),
      authorization: {
        jwtKeyProvider: { keySourceURIs: [`file://${files.jwks}`], refreshInterval: '1m' },
        permissionsClaimName: 'permissions',
        authorizer: 'default',
        claimMapper: 'default',
      },
    },
    services: Object.fromEntries(services) as object,
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: '127.0.0.1:7233' },
      },
    },
    dynamicConfigClient: { filepath: input.dynamicConfigFile, pollInterval: '10s' },
  }
}

/**
 * Mutual TLS everywhere, under two authorities: a client's certificate opens `frontend`, where a token decides, and never
 * `internal-frontend`, `history` or `matching`, which ask for no token.
 */
function tls({ internode, frontend }: ClusterKeys['files']): object {
  const server = ({ cert, key, ca }: typeof internode) => ({
    certFile: cert,
    keyFile: key,
    requireClientAuth: true,
    clientCaFiles: [ca],
  })
  return {
    internode: { server: server(internode), client: { serverName: internodeName, rootCaFiles: [internode.ca] } },
    frontend: { server: server(frontend), client: { serverName: frontendName, rootCaFiles: [frontend.ca] } },
  }
}
