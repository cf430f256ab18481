import type { Client } from '@temporalio/client'
import { Runtime } from '@temporalio/worker'
import type { Logger } from 'pino'
import { createCollateralSupply } from '../clients/collateral/createCollateralSupply.js'
import { createRevocationLists } from '../clients/collateral/createRevocationLists.js'
import { monitorCollateral } from '../clients/collateral/monitorCollateral.js'
import { createEnclaveClient } from '../clients/enclave/createEnclaveClient.js'
import { createEvidenceVerifier } from '../clients/enclave/createEvidenceVerifier.js'
import { createEntropyMeter } from '../clients/entropy/createEntropyMeter.js'
import { createEntropySupply } from '../clients/entropy/supply/createEntropySupply.js'
import { createSources } from '../clients/entropy/createSources.js'
import { createChain } from '../clients/chain/createChain.js'
import { createTransactionLookup } from '../clients/chain/createTransactionLookup.js'
import { createPublisher } from '../clients/chain/publisher/createPublisher.js'
import { createWebhookMeter } from '../clients/webhooks/createWebhookMeter.js'
import { createWebhookSender } from '../clients/webhooks/createWebhookSender.js'
import { startDeliveries } from '../clients/webhooks/startDeliveries.js'
import { createPinningNodes } from '../clients/ipfs/createPinningNodes.js'
import { monitorUsage } from '../clients/usage/monitorUsage.js'
import { reportCpu } from '../clients/usage/reportCpu.js'
import { createPublishingMeter } from '../clients/createPublishingMeter.js'
import { monitorPublishers } from '../clients/chain/publisher/monitorPublishers.js'
import { checkChain, openDatabase, registerApplications } from '../database/index.js'
import { restartPublishing, startDelivery } from '../temporal/index.js'
import type { WorkerConfig } from './config.js'
import type { ActivityDeps } from './createActivities.js'
import { trustAnchorsOf } from './trustAnchors.js'

/** Opens what the activities need: database, enclave, attestation, entropy, IPFS and chain. The client is a worker's. */
export async function openDeps(
  config: WorkerConfig,
  log: Logger,
  client: Client,
): Promise<{ deps: ActivityDeps; close(): Promise<void> }> {
  const { metricMeter } = Runtime.instance()
  const database = await openDatabase({ url: config.databaseUrl, poolSize: 20 })
  await checkChain(database, config.chain.chainId)
  const enclave = createEnclaveClient(config.enclave)
  const onProblem = (error: unknown) => log.warn({ err: error }, 'collateral could not be refreshed')
  const collateral = createCollateralSupply({ ...config.collateral.intel, tdxRoot: config.trust.tdxRoot, onProblem })
  const revocation = createRevocationLists({ ...config.collateral.amd, roots: config.trust.snpRoots, onProblem })
  const freshness = monitorCollateral({
    supplies: { 'intel-collateral': collateral, 'amd-crl': revocation },
    database,
    meter: metricMeter,
    log,
  })
  config.trust.releases.onRefused((error) => log.warn({ err: error }, 'a new list of builds is refused'))
  const evidence = createEvidenceVerifier({
    collateral,
    revocation,
    tdxRoot: config.trust.tdxRoot,
    snpRoots: config.trust.snpRoots,
    releases: config.trust.releases,
    policy: config.quotePolicy,
    allowDevelopmentRoot: config.trust.mode.simulated,
  })
  const entropy = createEntropySupply({
    database,
    log,
    ...createSources(config.entropy, database),
    options: { target: config.entropy.target },
    onRound: createEntropyMeter(metricMeter),
  })
  if (config.queues.includes('sign')) entropy.start()
  const chain = createChain(config.chain)
  const meter = createPublishingMeter(metricMeter)
  const publisher = createPublisher(database, chain, meter)
  const monitors = config.queues.includes('chain')
    ? [
        monitorPublishers({ database, chain, publisher, meter, log, minimumWei: config.minimumBalanceWei }),
        monitorUsage(database, metricMeter, log),
      ]
    : []
  const cpu = reportCpu(database, 'worker', log)
  const trustAnchors = trustAnchorsOf(config)
  const webhooks = config.queues.includes('webhooks') && config.webhooks ? createWebhookSender(config.webhooks) : null
  const webhookMeter = createWebhookMeter(metricMeter)
  const deliveries = webhooks && (await openDeliveries())

  async function openDeliveries() {
    const applications = config.webhooks?.applications ?? []
    const registered = applications.map(({ name, events, walletsOf = null }) => ({ name, events, walletsOf }))
    await registerApplications(database, registered)
    return startDeliveries({
      database,
      start: (delivery) => startDelivery(client, delivery),
      meter: webhookMeter,
      names: registered.map(({ name }) => name),
      log,
    })
  }

  return {
    deps: {
      database,
      enclave,
      evidence,
      entropy,
      transactions: createTransactionLookup(config.walletRpcs, log),
      publishUnsentAfterSeconds: config.publishUnsentAfterSeconds,
      chain,
      publisher,
      meter,
      trustAnchors,
      ...createPinningNodes(config.ipfs),
      required: config.ipfs.required,
      anchors: { ...config.receipts, publication: { chainId: config.chain.chainId, contract: config.chain.contract } },
      startPublishing: (proof, open) => restartPublishing(client, proof, 'repairProofs', open),
      webhooks,
      webhookMeter,
      now: () => new Date(),
    },
    async close() {
      await deliveries?.stop()
      for (const running of [...monitors, cpu, freshness, entropy]) await running.stop()
      enclave.close()
      await database.destroy()
    },
  }
}
