import type { Logger } from 'pino'
import type { DataSource } from 'typeorm'
import type { ProofPayload, WalletInfo } from '@perigee/core'
import type { CoordinatorAttestor } from '../clients/snp/index.js'
import type { TemporalClient, Tracing } from '../temporal/index.js'
import type { ApiMeter } from './metrics/ApiMeter.js'
import type { RateLimits } from './limits/RateLimit.js'
import type { StreamSettings } from './proof/streamProof.js'
import type { IdentityProviders } from './signIn/createIdentityProviders.js'

/** Settings of the HTTP surface. Times in seconds; nothing here is read from the environment below `main.ts`. */
export interface ApiSettings {
  /** Where browsers reach this API, without a trailing slash. */
  publicUrl: string
  /** Origins of web apps that may call with credentials. The first is where a sign-in without `return_to` ends. */
  webOrigins: string[]
  cookieSameSite: 'lax' | 'none'
  /** Passwords by number; the highest seals, all of them open. */
  sessionSecrets: Record<string, string>
  sessionIdleSeconds: number
  sessionAbsoluteSeconds: number
  chainIds: number[]
  /** Who may use the routes below `/operator`, as their identity provider knows them. */
  operators: { issuer: string; subject: string }[]
  /** Where operators find a workflow: Temporal's UI, and the namespace in it. */
  temporalUi: { url: string; namespace: string } | null
  /** How many proxies in front may be believed about the client's address. */
  trustedProxies: number
  rateLimits: RateLimits
}

/** A wallet as the API needs it: its id for the workflow, and what the owner sees. */
export interface OwnWallet {
  id: string
  info: WalletInfo
}

/** Everything the API is handed. Real ones in `main.ts`; tests hand in real ones too, on other ports. */
export interface ApiDeps {
  settings: ApiSettings
  database: DataSource
  temporal: Pick<TemporalClient, 'provisionWallet' | 'startProvisioning' | 'signDigest' | 'queryProof'>
  findWallet(userId: string): Promise<OwnWallet | null>
  findProof(slug: string): Promise<ProofPayload | null>
  attestor: Pick<CoordinatorAttestor, 'current' | 'fresh'>
  identityProviders: IdentityProviders
  /** One check per dependency: resolves when it is usable, throws when it is not. */
  readiness: Record<string, () => Promise<void>>
  streams?: StreamSettings
  /** `docs/receipt-v1.md`, which every receipt names. */
  receiptPage: string
  logger: Logger
  /** Counts for Prometheus; nothing is counted without one. */
  meter?: ApiMeter
  /** Traces requests; there is none unless an endpoint is configured. */
  tracing?: Pick<Tracing, 'request'> | null
  now(): Date
}
