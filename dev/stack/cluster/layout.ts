import { canListen, freePort } from '../processes/freePort.js'
import { PortsTaken } from '../settings/ports.js'

/** The processes of a cluster. `internal-frontend` is for callers inside it; clients reach `frontend` only. */
export const roles = ['frontend', 'internal-frontend', 'history', 'matching', 'worker'] as const
export type Role = (typeof roles)[number]

/** Each stands for a machine: every role runs once on each of these addresses, on the same ports. */
export const nodes = ['127.0.0.11', '127.0.0.12'] as const

export type RolePorts = Record<Role, { grpc: number; membership: number }>

/** Any ports: only the processes of the cluster and its balancer use them. */
export async function freeRolePorts(): Promise<RolePorts> {
  const entries = roles.map(async (role) => [role, { grpc: await freePort(), membership: await freePort() }])
  return Object.fromEntries(await Promise.all(entries)) as RolePorts
}

/** `temporal-history-1`: the role's process on the first address. */
export const processName = (role: Role, index: number) => `temporal-${role}-${index + 1}`

/** Linux answers on all of 127.0.0.0/8; macOS only on addresses that were added. */
export async function requireAddresses(): Promise<void> {
  for (const node of nodes) {
    if (await canListen(0, node)) continue
    throw new PortsTaken(
      `The cluster needs the loopback addresses ${nodes.join(' and ')}; add them first (macOS: sudo ifconfig lo0 alias ${node}).`,
    )
  }
}
