import { freePort, isPortFree } from '../processes/freePort.js'

/** Every port of the local stack, with the variable that moves it. This is the only place that lists them. */
export const portTable = {
  api: { variable: 'API_PORT', port: 8080 },
  web: { variable: 'WEB_PORT', port: 5173 },
  postgres: { variable: 'POSTGRES_PORT', port: 5434 },
  temporal: { variable: 'TEMPORAL_PORT', port: 7233 },
  temporalUi: { variable: 'TEMPORAL_UI_PORT', port: 8233 },
  codec: { variable: 'CODEC_SERVER_PORT', port: 8234 },
  anvil: { variable: 'ANVIL_PORT', port: 8545 },
  kuboApi: { variable: 'KUBO_API_PORT', port: 5001 },
  kuboGateway: { variable: 'KUBO_GATEWAY_PORT', port: 8081 },
  identityProvider: { variable: 'IDENTITY_PROVIDER_PORT', port: 9080 },
  satellite: { variable: 'SATELLITE_PORT', port: 9081 },
  enclave: { variable: 'ENCLAVE_PORT', port: 9443 },
} as const

export type PortName = keyof typeof portTable
export type Ports = Record<PortName, { port: number; variable: string }>

/** The ports of the table, moved by the environment, and one line for every value that is no port or taken twice. */
export function readPorts(env: NodeJS.ProcessEnv): { ports: Ports; wrong: string[] } {
  const wrong: string[] = []
  const taken = new Map<number, string>()
  const entries = Object.entries(portTable).map(([name, { variable, port: usual }]) => {
    const text = env[variable] || String(usual)
    const isPort = /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535
    if (!isPort) wrong.push(`${variable} must be a port number, not "${text}"`)
    const port = isPort ? Number(text) : usual // so that the rest of the configuration can be checked too
    const other = taken.get(port)
    if (isPort && other) wrong.push(`${variable} and ${other} are both ${port}`)
    taken.set(port, variable)
    return [name, { port, variable }]
  })
  return { ports: Object.fromEntries(entries) as Ports, wrong }
}

/** A free port for every entry, for a stack beside another one. */
export async function freePorts(): Promise<Ports> {
  const entries = Object.entries(portTable).map(async ([name, { variable }]) => {
    return [name, { port: await freePort(), variable }] as const
  })
  return Object.fromEntries(await Promise.all(entries)) as Ports
}

/** Throws one line for every port that is taken. */
export async function requireFreePorts(ports: Ports): Promise<void> {
  const names: Record<PortName, string> = {
    api: 'the API',
    web: 'the web app',
    postgres: 'Postgres',
    temporal: 'Temporal',
    temporalUi: 'the Temporal UI',
    codec: 'the codec server',
    anvil: 'anvil',
    kuboApi: 'Kubo',
    kuboGateway: "Kubo's gateway",
    identityProvider: 'the identity provider',
    satellite: 'the satellite stand-in',
    enclave: 'the enclave',
  }
  const checks = Object.entries(ports).map(async ([name, { port, variable }]) => {
    if (await isPortFree(port)) return []
    return [`Port ${port}, for ${names[name as PortName]}, is taken; choose another with ${variable}=…`]
  })
  const taken = (await Promise.all(checks)).flat()
  if (taken.length > 0) throw new PortsTaken(taken.join('\n'))
}

export class PortsTaken extends Error {}
