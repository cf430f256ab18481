import { ServiceError, type Hex } from '@perigee/core'
import { createChain } from '../../clients/chain/createChain.js'
import { createRpcs, type Rpcs } from '../../clients/chain/createRpcs.js'
import { createPinningNodes } from '../../clients/ipfs/createPinningNodes.js'
import { findSenders } from '../../database/index.js'
import type { OpsConfig } from '../config.js'
import { withDatabase } from '../openOps.js'
import type { AuditPart } from '../parseArguments.js'
import type { Outcome } from '../run.js'
import { auditEvents } from './auditEvents.js'
import { auditPublishers } from './auditPublishers.js'
import { auditRecords } from './auditRecords.js'
import { createAuditReport, type AuditReport } from './AuditReport.js'
import { auditWallets } from './auditWallets.js'
import { createNodeAuditor } from './lookAtNodes.js'

/** Walks records, IPFS and chain. A part that cannot be looked at is named, and the others are still done. */
export function runAudit(config: OpsConfig, parts: readonly AuditPart[]): Promise<Outcome> {
  const { chain: chainConfig, publishers: configured } = config.chain()
  const [ipfs, walletRpcs] = [config.ipfs(), config.walletRpcs()]
  const chain = createChain(chainConfig)
  return withDatabase(config, async (database) => {
    const report = createAuditReport()
    const publishers = [...new Set<Hex>([...configured, ...(await findSenders(database, chainConfig.chainId))])]
    const lookForBlock = createNodeAuditor(createPinningNodes(ipfs).nodes, ipfs.required, report)
    const rpcsOf = new Map<number, Rpcs>([[chainConfig.chainId, chain.rpcs]])
    for (const [chainId, rpcUrls] of walletRpcs) {
      if (chainId !== chainConfig.chainId) rpcsOf.set(chainId, createRpcs({ chainId, rpcUrls }))
    }
    const audits: Record<AuditPart, () => Promise<void>> = {
      records: () => auditRecords({ database, chain, lookForBlock, report }),
      events: () => auditEvents({ database, chain, publishers, report }),
      publishers: () => auditPublishers({ database, chain, publishers, report }),
      wallets: () => auditWallets({ database, rpcsOf, report }),
    }
    for (const part of parts) {
      try {
        await audits[part]()
      } catch (error) {
        report.couldNotCheck(part, error instanceof ServiceError ? error.code : 'the database or a node failed')
      }
    }
    return toOutcome(report)
  })
}

function toOutcome({ findings, unchecked, checked }: AuditReport): Outcome {
  const missed = [...unchecked].map(([what, why]) => ({ what, why }))
  const lines = [
    ...findings.map(({ kind, subject, message }) => `DISAGREES  ${kind}  ${subject}: ${message}`),
    ...missed.map(({ what, why }) => `UNCHECKED  ${what}: ${why}`),
    `checked ${Object.entries(checked)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ')}`,
    `${findings.length} disagreements, ${missed.length} not checked`,
  ]
  const json = { disagreements: findings, unchecked: missed, checked }
  return { lines, json, exitCode: findings.length > 0 ? 1 : missed.length > 0 ? 3 : 0 }
}
