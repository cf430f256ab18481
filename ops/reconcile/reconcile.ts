import { ServiceError, type Hex } from '@perigee/core'
import { createChain } from '../../clients/chain/createChain.js'
import { createRpcs, type Rpcs } from '../../clients/chain/rpc/createRpcs.js'
import { createPinningNodes } from '../../clients/ipfs/createPinningNodes.js'
import { findSenders } from '../../database/index.js'
import type { OpsConfig } from '../config.js'
import { withDatabase } from '../connections.js'
import type { Outcome } from '../Outcome.js'
import { createBlockCheck } from './createBlockCheck.js'
import { createReport, type Report } from './createReport.js'
import { reconcileEvents } from './reconcileEvents.js'
import { reconcilePublishers } from './reconcilePublishers.js'
import { reconcileRecords } from './reconcileRecords.js'
import { reconcileWallets } from './reconcileWallets.js'

const reconcilers = {
  records: reconcileRecords,
  events: reconcileEvents,
  publishers: reconcilePublishers,
  wallets: reconcileWallets,
}
export type ReconcilePart = keyof typeof reconcilers
export const reconcileParts = Object.keys(reconcilers) as ReconcilePart[]

/** Compares records, IPFS and chain. A part that fails is listed as not checked, and the others still run. */
export function reconcile(config: OpsConfig, parts: readonly ReconcilePart[]): Promise<Outcome> {
  const { chain: chainConfig, publishers: configured } = config.chain()
  const [ipfs, walletRpcs] = [config.ipfs(), config.walletRpcs()]
  const chain = createChain(chainConfig)
  return withDatabase(config, async (database) => {
    const report = createReport()
    const publishers = [...new Set<Hex>([...configured, ...(await findSenders(database, chainConfig.chainId))])]
    const checkBlock = createBlockCheck(createPinningNodes(ipfs).nodes, ipfs.required, report)
    const rpcsOf = new Map<number, Rpcs>([[chainConfig.chainId, chain.rpcs]])
    for (const [chainId, rpcUrls] of walletRpcs) {
      if (chainId !== chainConfig.chainId) rpcsOf.set(chainId, createRpcs({ chainId, rpcUrls }))
    }
    for (const part of reconcileParts.filter((one) => parts.includes(one))) {
      try {
        await reconcilers[part]({ database, chain, rpcsOf, publishers, checkBlock, report })
      } catch (error) {
        report.couldNotCheck(part, error instanceof ServiceError ? error.code : 'the database or a node failed')
      }
    }
    return toOutcome(report)
  })
}

function toOutcome({ mismatches, unchecked, checked }: Report): Outcome {
  const missed = [...unchecked].map(([what, why]) => ({ what, why }))
  const counts = Object.entries(checked).map(([what, count]) => `${count} ${what}`)
  const lines = [
    ...mismatches.map(({ kind, subject, message }) => `MISMATCH   ${kind}  ${subject}: ${message}`),
    ...missed.map(({ what, why }) => `UNCHECKED  ${what}: ${why}`),
    `checked ${counts.join(', ')}`,
    `${mismatches.length} mismatches, ${missed.length} not checked`,
  ]
  const json = { mismatches, unchecked: missed, checked }
  return { lines, json, exitCode: mismatches.length > 0 ? 1 : missed.length > 0 ? 3 : 0 }
}
