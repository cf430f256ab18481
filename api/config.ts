import { readFileSync } from 'node:fs'
import {
  EnvReader,
  isLoopback,
  parseHardwareTrust,
  parseIdentityProviders,
  parseOperators,
  parseOrigin,
  refuseWeakSecrets,
  type Env,
} from '@perigee/core/config'
import { parseCoordinatorConfig } from '../clients/snp/config.js'
import { parseTemporalConfig, parseTracingConfig } from '../temporal/index.js'
import type { ApiSettings, SessionSecret } from './ApiDeps.js'
import { parseFundsRpcs, parseShareSettings } from './shares/config.js'
import { defaultRateLimits, parseRateLimits, type RateLimits } from './limits/RateLimit.js'

export type ApiConfig = ReturnType<typeof parseConfig>

/** Sepolia and Base Sepolia. */
const defaultChainIds = '11155111,84532'

/** Reads the API's variables; throws a ConfigError that names every missing or wrong one. */
export function parseConfig(env: Env) {
  const read = new EnvReader(env)
  const production = read.text('NODE_ENV', 'development') === 'production'
  const publicUrl = parseOrigin(read, 'PUBLIC_API_URL', read.text('PUBLIC_API_URL'), production)
  const cookieSameSite = read.oneOf('COOKIE_SAMESITE', ['None', 'Lax'], 'None') === 'Lax' ? 'lax' : 'none'
  if (cookieSameSite === 'none' && publicUrl.startsWith('http:') && !isLoopback(publicUrl)) {
    read.problem('COOKIE_SAMESITE=None needs a PUBLIC_API_URL with https')
  }
  const identityProviders = parseIdentityProviders(read, production)
  const temporal = parseTemporalConfig(read)
  const temporalUiUrl = read.url('TEMPORAL_UI_URL', ['http:', 'https:'], '').replace(/\/+$/, '')
  const config = {
    logLevel: read.oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
    port: read.integer('API_PORT', { min: 1, max: 65_535 }, 8080),
    /** How long it keeps serving after SIGTERM while it reports not ready. */
    drainMs: read.integer('API_DRAIN_SECONDS', { min: 0, max: 60 }, 0) * 1000,
    /** Where Prometheus scrapes; null for no metrics. */
    metrics: parseMetricsAddress(read),
    databaseUrl: read.text('DATABASE_URL'),
    settings: {
      publicUrl,
      webOrigins: read.list('WEB_ORIGINS').map((origin) => parseOrigin(read, 'WEB_ORIGINS', origin, production)),
      cookieSameSite,
      sessionSecrets: parseSecrets(read),
      sessionIdleSeconds: read.integer('SESSION_IDLE_SECONDS', { min: 60, max: 30 * 86_400 }, 12 * 3600),
      sessionAbsoluteSeconds: read.integer('SESSION_ABSOLUTE_SECONDS', { min: 60, max: 90 * 86_400 }, 7 * 86_400),
      chainIds: parseChainIds(read),
      sealingVersion: read.integer('SEALING_VERSION', { min: 1, max: 255 }, 1),
      operators: parseOperators(read, identityProviders),
      temporalUi: temporalUiUrl ? { url: temporalUiUrl, namespace: temporal.namespace } : null,
      trustedProxies: read.integer('TRUSTED_PROXIES', { min: 0, max: 10 }, 0),
      rateLimits: readRateLimits(read),
      ...parseShareSettings(read, identityProviders),
    } satisfies ApiSettings,
    identityProviders,
    temporal,
    tracing: parseTracingConfig(read),
    coordinator: parseCoordinatorConfig(read, parseHardwareTrust(read, readFileSync)),
    /** By chain; null when balances are not asked for. */
    fundsRpcs: parseFundsRpcs(read),
    /** Links to receipts are `<gateway>/ipfs/<cid>`. */
    ipfsGatewayUrl: read.url('IPFS_GATEWAY_URL', ['http:', 'https:']).replace(/\/+$/, ''),
  }
  refuseWeakSecrets(read)
  read.finish()
  return config
}

/** The first one seals, all open. To rotate: docs/operations.md. */
function parseSecrets(read: EnvReader): SessionSecret[] {
  const secrets: SessionSecret[] = []
  for (const entry of read.list('SESSION_SECRETS')) {
    const [, id, secret] = /^([1-9]\d{0,8}):(.{32,})$/.exec(entry) ?? []
    if (id && secret && !secrets.some((other) => other.id === id)) secrets.push({ id, secret })
    else read.problem('SESSION_SECRETS must be number:secret,… with different numbers and 32 characters or more each')
  }
  return secrets
}

function parseMetricsAddress(read: EnvReader): { host: string; port: number } | null {
  if (!read.has('API_METRICS_ADDRESS')) return null
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(read.text('API_METRICS_ADDRESS')) ?? []
  if (!host || Number(port) > 65_535) read.problem('API_METRICS_ADDRESS must be host:port')
  return { host: (host ?? '').replace(/^\[|\]$/g, ''), port: Number(port) }
}

function readRateLimits(read: EnvReader): RateLimits {
  const limits = parseRateLimits(read.list('RATE_LIMITS', ''))
  if (!limits) read.problem('RATE_LIMITS must be name:perSecond/burst,… with names from docs/security.md')
  return limits ?? defaultRateLimits
}

function parseChainIds(read: EnvReader): number[] {
  const given = read.list('CHAIN_IDS', defaultChainIds)
  if (!given.every((id) => /^[1-9]\d{0,14}$/.test(id))) read.problem('CHAIN_IDS must be chain ids, comma-separated')
  return given.map(Number)
}
