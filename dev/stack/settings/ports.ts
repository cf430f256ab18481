import { freePort, isPortFree } from '../processes/freePort.js'

/** Every port of the local stack, with the variable that moves it and its program. The only place that lists them. */
export const portTable = {
  api: { variable: 'API_PORT', port: 8080, title: 'the API' },
  web: { variable: 'WEB_PORT', port: 5173, title: 'the web app' },
  postgres: { variable: 'POSTGRES_PORT', port: 5434, title: 'Postgres' },
  temporal: { variable: 'TEMPORAL_PORT', port: 7233, title: 'Temporal' },
  temporalUi: { variable: 'TEMPORAL_UI_PORT', port: 8233, title: 'the Temporal UI' },
  codec: { variable: 'CODEC_SERVER_PORT', port: 8234, title: 'the codec server' },
  anvil: { variable: 'ANVIL_PORT', port: 8545, title: 'anvil' },
  kuboApi: { variable: 'KUBO_API_PORT', port: 5001, title: 'Kubo' },
  kuboGateway: { variable: 'KUBO_GATEWAY_PORT', port: 8081, title: "Kubo's gateway" },
  identityProvider: { variable: 'IDENTITY_PROVIDER_PORT', port: 9080, title: 'the identity provider' },
  satellite: { variable: 'SATELLITE_PORT', port: 9081, title: 'the satellite stand-in' },
  enclave: { variable: 'ENCLAVE_PORT', port: 9443, title: 'the enclave' },
} as const

type PortName = keyof typeof portTable
export type Ports = Record<PortName, number>
const names = Object.keys(portTable) as PortName[]

/** The ports of the table, moved by the environment, and one line for every value that is no port or taken twice. */
export function readPorts(env: NodeJS.ProcessEnv): { ports: Ports; wrong: string[] } {
  const wrong: string[] = []
  const taken = new Map<number, string>()
  const entries = names.map((name) => {
    const { variable, port: usual } = portTable[name]
    const text = env[variable] || String(usual)
    const isPort = /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535
    if (!isPort) wrong.push(`${variable} must be a port number, not "${text}"`)
    const port = isPort ? Number(text) : usual // so that the rest of the configuration can be checked too
    const other = taken.get(port)
    if (isPort && other) wrong.push(`${variable} and ${other} are both ${port}`)
    taken.set(port, variable)
    return [name, port]
  })
  return { ports: Object.fromEntries(entries) as Ports, wrong }
}

/** A free port for every entry, for a stack beside another one. */
export async function freePorts(): Promise<Ports> {
  const entries = names.map(async (name) => [name, await freePort()])
  return Object.fromEntries(await Promise.all(entries)) as Ports
}

/** Throws one line for every port that is taken. */
export async function requireFreePorts(ports: Ports, unused: readonly PortName[] = []): Promise<void> {
  const used = names.filter((name) => !unused.includes(name))
  const checks = used.map(async (name) => {
    const { variable, title } = portTable[name]
    if (await isPortFree(ports[name])) return []
    return [`Port ${ports[name]}, for ${title}, is taken; choose another with ${variable}=…`]
  })
  const taken = (await Promise.all(checks)).flat()
  if (taken.length > 0) throw new PortsTaken(taken.join('\n'))
}

export class PortsTaken extends Error {}
