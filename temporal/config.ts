import { readFileSync } from 'node:fs'
import type { EnvReader } from '@perigee/core/config'
import type { TracingConfig } from './tracing/openTracing.js'
import { parseCodecKeys, type CodecKey } from './codec/codecKeys.js'

/** How to reach a Temporal server: the dev server, a cluster behind mutual TLS, or Temporal Cloud. */
export interface TemporalPlace {
  address: string
  namespace: string
  /** `true` is plain TLS; null is none. */
  tls: true | { serverRootCACertificate?: Buffer; serverNameOverride?: string; clientCertPair?: CertPair } | null
  /** Temporal Cloud's API key, or the token that a cluster's authoriser asks for. */
  apiKey: string | null
}

export interface TemporalConfig extends TemporalPlace {
  /** The first one encrypts; all of them decrypt. */
  codecKeys: CodecKey[]
}

interface CertPair {
  crt: Buffer
  key: Buffer
}

/** Reads the `TEMPORAL_*` variables. */
export function parseTemporalConfig(env: EnvReader): TemporalConfig {
  return {
    ...parseTemporalPlace(env),
    codecKeys: parseCodecKeys(env.text('TEMPORAL_CODEC_KEYS'), (text) => env.problem(text)),
  }
}

/** Only where the server is and what opens it. A certificate file is read here, so that a wrong path is named at start. */
export function parseTemporalPlace(env: EnvReader): TemporalPlace {
  const file = (name: string) => (env.has(name) ? env.file(name, (path) => readFileSync(path)) : undefined)
  const address = env.text('TEMPORAL_ADDRESS')
  if (address && !/^[^\s:/]+:\d+$/.test(address)) env.problem('TEMPORAL_ADDRESS must be host:port')
  if (env.has('TEMPORAL_TLS_CERT') !== env.has('TEMPORAL_TLS_KEY')) {
    env.problem('TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY go together')
  }
  const ca = file('TEMPORAL_TLS_CA')
  const crt = file('TEMPORAL_TLS_CERT')
  const key = file('TEMPORAL_TLS_KEY')
  const serverName = env.text('TEMPORAL_TLS_SERVER_NAME', '')
  const apiKey = env.text('TEMPORAL_API_KEY', '') || null
  const detailed = ca !== undefined || serverName !== '' || (crt !== undefined && key !== undefined)
  // Temporal Cloud takes API keys over TLS only; sending one in the clear would give it away.
  const plain = env.flag('TEMPORAL_TLS') || apiKey !== null ? true : null
  return {
    address,
    namespace: env.text('TEMPORAL_NAMESPACE'),
    tls: detailed
      ? {
          ...(ca && { serverRootCACertificate: ca }),
          ...(serverName && { serverNameOverride: serverName }),
          ...(crt && key && { clientCertPair: { crt, key } }),
        }
      : plain,
    apiKey,
  }
}

/** OpenTelemetry's own names for the variables; without an endpoint nothing is traced. */
export function parseTracingConfig(env: EnvReader): TracingConfig | null {
  const endpoint = env.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'], '').replace(/\/+$/, '')
  return endpoint ? { endpoint } : null
}

/** The same settings for a client's `Connection` and a worker's `NativeConnection`. */
export function connectionOptions({ address, tls, apiKey }: Omit<TemporalPlace, 'namespace'>) {
  return { address, ...(tls && { tls }), ...(apiKey && { apiKey }) }
}
