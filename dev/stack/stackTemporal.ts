import { Connection } from '@temporalio/client'
import { EnvReader } from '@perigee/core/config'
import { connectionOptions, parseTemporalPlace, type TemporalPlace } from '../../temporal/index.js'
import { serviceName } from './components/names.js'

/** The Temporal that a stack uses: where it is, and the variables that open it. stack.json carries all of it. */
export interface StackTemporal {
  temporalAddress: string
  namespace: string
  /** Empty: it has none that we know of. */
  temporalUiUrl: string
  /** `TEMPORAL_TLS_*` and `TEMPORAL_API_KEY`, as far as this server needs them. */
  temporalAccess: Record<string, string>
}

/** Every variable that says how to open a Temporal server. */
export const accessVariables = [
  'TEMPORAL_TLS',
  'TEMPORAL_TLS_CA',
  'TEMPORAL_TLS_CERT',
  'TEMPORAL_TLS_KEY',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_API_KEY',
] as const

/** The Temporal that the environment names by `TEMPORAL_ADDRESS`; undefined when the stack starts its own. */
export function otherTemporal(env: NodeJS.ProcessEnv): StackTemporal | undefined {
  const temporalAddress = env['TEMPORAL_ADDRESS']
  if (!temporalAddress) return undefined
  const given = accessVariables.flatMap((name) => (env[name] ? [[name, env[name]]] : []))
  return {
    temporalAddress,
    namespace: env['TEMPORAL_NAMESPACE'] || serviceName,
    temporalUiUrl: env['TEMPORAL_UI_URL'] ?? '',
    temporalAccess: Object.fromEntries(given) as Record<string, string>,
  }
}

type Reached = Omit<StackTemporal, 'temporalUiUrl'>

/** The same as the programs read it. Throws a ConfigError. */
export function placeOf({ temporalAddress, namespace, temporalAccess }: Reached) {
  const variables = { ...temporalAccess, TEMPORAL_ADDRESS: temporalAddress, TEMPORAL_NAMESPACE: namespace }
  const reader = new EnvReader(variables)
  const place: TemporalPlace = parseTemporalPlace(reader)
  reader.finish()
  return place
}

/** What opens a connection to it, of either kind. */
export const reach = (temporal: Reached) => connectionOptions(placeOf(temporal))

/** A connection that the caller closes. */
export const connectTemporal = (temporal: Reached): Promise<Connection> => Connection.connect(reach(temporal))
