import type { Logger } from 'pino'
import type { DataSource } from 'typeorm'
import type { ProofPayload, WalletInfo } from '@perigee/core'
import type { Funds } from '../clients/chain/createFunds.js'
import type { CoordinatorAttestor } from '../clients/snp/createCoordinatorAttestor.js'
import type { Wallet } from '../database/index.js'
import type { TemporalClient, Tracing } from '../temporal/index.js'
import type { Statements } from './authority/createStatements.js'
import type { ApiMeter } from './monitoring/ApiMeter.js'
import type { RateLimits } from './limits/RateLimit.js'
import type { ShareSettings } from './shares/config.js'
import type { IdentityProviders } from './signIn/createIdentityProviders.js'

/** `id` is a number, and part of what it seals. */
export interface SessionSecret {
  id: string
  secret: string
}

/** Settings of the HTTP surface. */
export interface ApiSettings extends ShareSettings {
  /** Where browsers reach this API, without a trailing slash. */
  publicUrl: string
  /** Origins of web apps that may call with credentials. The first is where a sign-in without `return_to` ends. */
  webOrigins: string[]
  cookieSameSite: 'lax' | 'none'
  /** The first one seals cookies, all of them open cookies. */
  sessionSecrets: SessionSecret[]
  sessionIdleSeconds: number
  sessionAbsoluteSeconds: number
  chainIds: number[]
  /** Keys that are sealed under an older version are resealed when their owner signs in or signs. */
  sealingVersion: number
  /** People who may use the routes below `/operator`, by issuer and subject. */
  operators: { issuer: string; subject: string }[]
  /** Temporal's UI and the namespace in it, for links to workflows. */
  temporalUi: { url: string; namespace: string } | null
  /** How many proxies in front of the API are trusted to report the client's address. */
  trustedProxies: number
  rateLimits: RateLimits
}

/** Of `GET /proof/:slug/events`. */
export interface StreamSettings {
  pollMs: number
  heartbeatMs: number
  /** A stream ends after this long and the browser reconnects, so no connection stays open forever. */
  maxMs: number
  /** Streams that this process serves at once. */
  maxStreams: number
}

/** A wallet as the API needs it: its id for the workflow, and what the owner sees. */
export interface OwnWallet extends Pick<Wallet, 'id' | 'subject' | 'sealedKey' | 'owners' | 'since' | 'credentials'> {
  info: WalletInfo
}

/** Everything the API depends on. `openDeps` builds it for production, `startTestApi` for tests. */
export interface ApiDeps {
  settings: ApiSettings
  database: DataSource
  temporal: Pick<
    TemporalClient,
    | 'provisionWallet'
    | 'startProvisioning'
    | 'signDigest'
    | 'signMessage'
    | 'changeOwners'
    | 'startResealing'
    | 'queryProof'
  >
  findWallet(userId: string): Promise<OwnWallet | null>
  findProof(slug: string): Promise<ProofPayload | null>
  attestor: Pick<CoordinatorAttestor, 'current' | 'fresh'>
  /** Signed by the key that the attestor's reports bind. */
  statements: Statements
  identityProviders: IdentityProviders
  /** Whether a wallet can pay; null when nobody asks. */
  funds: Pick<Funds, 'shortOf'> | null
  /** One check per dependency: resolves when it is usable, throws when it is not. */
  readiness: Record<string, () => Promise<void>>
  /** Throws while Temporal refuses what this process is configured with. Must pass once before it serves. */
  temporalAccess?: () => Promise<void>
  streams?: StreamSettings
  /** `docs/receipt-v1.md`, which every receipt names. */
  receiptPage: string
  logger: Logger
  /** Counts for Prometheus. */
  meter: ApiMeter
  /** Traces requests; absent unless an endpoint is configured. */
  tracing?: Pick<Tracing, 'request'> | null
  now(): Date
}
