import { readFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import { ServiceError } from '@perigee/core'
import { createFunds } from '../clients/chain/createFunds.js'
import { createCoordinatorAttestor } from '../clients/snp/createCoordinatorAttestor.js'
import { createRequestKey } from '../clients/snp/createRequestKey.js'
import { openDatabase, readEntropyState } from '../database/index.js'
import { createTemporalClient, openTracing } from '../temporal/index.js'
import type { ApiDeps } from './ApiDeps.js'
import { createStatements } from './authority/createStatements.js'
import type { ApiConfig } from './config.js'
import { createLookups } from './createLookups.js'
import { noMeter } from './monitoring/ApiMeter.js'
import { createTemporalAccess } from './monitoring/createTemporalAccess.js'
import { requireFreshCollateral } from './monitoring/requireFreshCollateral.js'
import { createIdentityProviders } from './signIn/createIdentityProviders.js'

/** Opens everything the API needs. Temporal and the identity providers may still be down; readiness says so. */
export async function openDeps(config: ApiConfig, logger: Logger): Promise<{ deps: ApiDeps; close(): Promise<void> }> {
  const requestKey = createRequestKey()
  const attestor = createCoordinatorAttestor(config.coordinator.open(requestKey.publicKey))
  config.coordinator.releases.onRefused((error) => logger.warn({ err: error }, 'a new list of builds is refused'))
  const database = await openDatabase({ url: config.databaseUrl })
  const tracing = config.tracing && (await openTracing(config.tracing, 'perigee-api'))
  const temporal = createTemporalClient(config.temporal, tracing)
  const identityProviders = createIdentityProviders(config.identityProviders)

  const deps: ApiDeps = {
    settings: config.settings,
    database,
    temporal,
    attestor,
    statements: createStatements(attestor, requestKey),
    identityProviders,
    funds: config.fundsRpcs && createFunds(config.fundsRpcs, logger),
    logger,
    meter: noMeter, // `startApi` puts a real one here where metrics are wanted
    tracing,
    // Relative to api/ in the source and to dist/ in the bundle: both are one folder below the root.
    receiptPage: await readFile(new URL('../docs/receipt-v1.md', import.meta.url), 'utf8'),
    now: () => new Date(),
    ...createLookups(database, config.ipfsGatewayUrl),
    temporalAccess: createTemporalAccess(config.temporal, logger),
    readiness: {
      database: async () => void (await database.query('SELECT 1')),
      temporal: () => temporal.check(),
      signWorker: () => temporal.checkPollers('sign'),
      attestation: async () => void (await attestor.current()),
      entropy: async () => {
        const { state } = await readEntropyState(database)
        if (state === 'empty') throw new ServiceError('entropy_unavailable', 'no entropy sample is in stock')
        if (state === 'unknown') throw new ServiceError('entropy_unavailable', 'no worker has reported on entropy')
      },
      collateral: () => requireFreshCollateral(database),
    },
  }
  return {
    deps,
    async close() {
      await temporal.close()
      await database.destroy()
      await tracing?.close()
    },
  }
}
