import { readFileSync } from 'node:fs'
import type { WorkerDeploymentVersion } from '@temporalio/common'
import { EnvReader, parseHardwareTrust, refuseWeakSecrets, type Env } from '@perigee/core/config'
import { parseCollateralConfig } from '../clients/collateral/config.js'
import { parseEnclaveClientConfig, parseQuotePolicy } from '../clients/enclave/config.js'
import { parseEntropyConfig } from '../clients/entropy/config.js'
import {
  parseChainConfig,
  parseChainReaderConfig,
  parseMinimumBalance,
  parsePublishUnsentAfter,
  parseWalletRpcs,
} from '../clients/chain/config.js'
import { parseReleasesPlace } from '../clients/releases/config.js'
import { parseIpfsConfig } from '../clients/ipfs/config.js'
import { parseWebhooksConfig } from '../clients/webhooks/config.js'
import { parseTemporalConfig, parseTracingConfig, taskQueues } from '../temporal/index.js'
import type { QueueName } from './createWorkers.js'

export type WorkerConfig = ReturnType<typeof parseConfig>

/** Everything a worker needs. Throws a ConfigError that names every missing or wrong variable. */
export function parseConfig(variables: Env) {
  const env = new EnvReader(variables)
  const trust = parseHardwareTrust(env, readFileSync)
  const webhooks = parseWebhooksConfig(env)
  const queues = parseQueues(env, webhooks !== null)
  // Only workers that publish get the keys that pay for it.
  const chain = queues.includes('chain') ? parseChainConfig(env) : parseChainReaderConfig(env)
  const publicUrl = env.has('PUBLIC_API_URL') ? env.text('PUBLIC_API_URL') : 'http://localhost'
  const config = {
    production: env.text('NODE_ENV', 'development') === 'production',
    logLevel: env.oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error'], 'info'),
    queues,
    deployment: parseDeployment(env),
    databaseUrl: env.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    temporal: parseTemporalConfig(env),
    tracing: parseTracingConfig(env),
    trust,
    enclave: parseEnclaveClientConfig(env),
    quotePolicy: parseQuotePolicy(env),
    collateral: parseCollateralConfig(env, trust.mode),
    entropy: parseEntropyConfig(env),
    ipfs: parseIpfsConfig(env),
    chain,
    releases: parseReleasesPlace(env),
    minimumBalanceWei: parseMinimumBalance(env),
    /** Where `awaitBroadcast` looks for wallets' transactions, by chain id. */
    walletRpcs: parseWalletRpcs(env, chain),
    publishUnsentAfterSeconds: parsePublishUnsentAfter(env),
    /** Where events are sent; null without `WEBHOOKS_FILE`. */
    webhooks,
    /** Addresses that receipts name. */
    receipts: {
      spec: env.url('RECEIPT_SPEC_URL', ['https:', 'http:'], `${publicUrl}/docs/receipt-v1`),
      instructions: env.url(
        'RECEIPT_INSTRUCTIONS_URL',
        ['https:', 'http:'],
        `${publicUrl}/docs/receipt-v1#check-it-by-hand`,
      ),
    },
    /** `host:port` for Prometheus; null for no metrics. */
    metricsAddress: env.text('WORKER_METRICS_ADDRESS', '') || null,
  }
  refuseWeakSecrets(env)
  env.finish()
  return config
}

/** All queues by default; `webhooks` only where its file is. */
function parseQueues(env: EnvReader, hasWebhooks: boolean): QueueName[] {
  const known = Object.keys(taskQueues) as QueueName[]
  const usual = known.filter((name) => name !== 'webhooks' || hasWebhooks)
  const names = env.list('WORKER_QUEUES', usual.join(','))
  if (names.includes('webhooks') && !hasWebhooks)
    env.problem('WORKER_QUEUES names webhooks, but WEBHOOKS_FILE is missing')
  const wrong = names.filter((name) => !(known as string[]).includes(name))
  if (wrong.length > 0 || names.length === 0) env.problem(`WORKER_QUEUES must be a list of ${known.join(', ')}`)
  return known.filter((name) => names.includes(name))
}

/**
 * Without a deployment's name the worker is unversioned, as in development (temporal/RUNBOOK.md, "Deploying"). The build id is the
 * image's own.
 */
function parseDeployment(env: EnvReader): WorkerDeploymentVersion | null {
  if (!env.has('WORKER_DEPLOYMENT_NAME')) return null
  const names = { deploymentName: env.text('WORKER_DEPLOYMENT_NAME'), buildId: env.text('WORKER_BUILD_ID') }
  if (
    !Object.values(names).every((name) => /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/.test(name)) ||
    names.deploymentName.includes('.')
  ) {
    env.problem(
      'WORKER_DEPLOYMENT_NAME and WORKER_BUILD_ID take letters, digits, dash, underscore; a build id also dots',
    )
  }
  return names
}
