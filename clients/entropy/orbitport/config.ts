import type { EnvReader } from '@perigee/core/config'

export type OrbitportAuth =
  | { kind: 'token'; token: string }
  | { kind: 'client-credentials'; tokenUrl: string; clientId: string; clientSecret: string; audience: string }

export interface OrbitportConfig {
  url: string
  protocol: 'rest' | 'rpc'
  /** The `src` parameter of the REST call; empty leaves the choice to the gateway. */
  src: string
  auth: OrbitportAuth
  samplesPerDay: number
}

/** `ORBITPORT_TOKEN`, or else `ORBITPORT_CLIENT_ID` and `ORBITPORT_CLIENT_SECRET`. Secrets never reach a problem's text. */
export function parseOrbitportConfig(env: EnvReader): OrbitportConfig {
  const url = env.url('ORBITPORT_URL', ['https:', 'http:'], 'https://op.spacecomputer.io')
  requireTls(env, 'ORBITPORT_URL', url)
  return {
    url,
    protocol: env.oneOf('ORBITPORT_PROTOCOL', ['rest', 'rpc'], 'rpc'),
    src: env.text('ORBITPORT_SRC', ''),
    auth: parseAuth(env),
    samplesPerDay: env.integer('ORBITPORT_SAMPLES_PER_DAY', { min: 1, max: 10_000_000 }, 1500),
  }
}

function parseAuth(env: EnvReader): OrbitportAuth {
  if (env.has('ORBITPORT_TOKEN')) return { kind: 'token', token: env.text('ORBITPORT_TOKEN') }
  const tokenUrl = env.url('ORBITPORT_TOKEN_URL', ['https:', 'http:'], 'https://auth.spacecomputer.io/oauth/token')
  requireTls(env, 'ORBITPORT_TOKEN_URL', tokenUrl)
  if (!env.has('ORBITPORT_CLIENT_ID')) env.problem('ORBITPORT_TOKEN or ORBITPORT_CLIENT_ID is missing')
  return {
    kind: 'client-credentials',
    tokenUrl,
    clientId: env.text('ORBITPORT_CLIENT_ID', ''),
    clientSecret: env.has('ORBITPORT_CLIENT_ID') ? env.text('ORBITPORT_CLIENT_SECRET') : '',
    audience: env.text('ORBITPORT_AUDIENCE', 'https://op.spacecomputer.io/api'),
  }
}

/** A credential goes over plain HTTP to this machine only. */
function requireTls(env: EnvReader, name: string, text: string): void {
  if (!URL.canParse(text)) return
  const { protocol, hostname } = new URL(text)
  if (protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname)) {
    env.problem(`${name} must use https: credentials are sent to it`)
  }
}
