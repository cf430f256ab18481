import { ServiceError } from '@perigee/core'
import type { PinningNode } from '../../clients/ipfs/PinningNode.js'
import type { AuditReport } from './AuditReport.js'

/** A node that fails so often in a row is not asked again: an audit must end. */
const patience = 5

/** Looks for blocks on every node. */
export function createNodeAuditor(nodes: readonly PinningNode[], required: number, report: AuditReport) {
  const inARow = new Map<string, number>()

  async function look(node: PinningNode, cid: string): Promise<'held' | 'missing' | 'wrong' | 'unknown'> {
    const failures = inARow.get(node.name) ?? 0
    if (failures >= patience) return 'unknown'
    try {
      const found = await node.look(cid)
      inARow.set(node.name, 0)
      return found
    } catch (error) {
      inARow.set(node.name, failures + 1)
      report.couldNotCheck(`IPFS node ${node.name}`, error instanceof ServiceError ? error.code : 'it failed')
      return 'unknown'
    }
  }

  return async (cid: string, what: string): Promise<void> => {
    report.count('blocks')
    const seen = await Promise.all(nodes.map(async (node) => ({ node: node.name, found: await look(node, cid) })))
    for (const { node, found } of seen) {
      if (found === 'missing') report.disagree('missing_pin', what, `${node} does not hold ${cid}`, { cid, node })
      if (found === 'wrong') report.disagree('wrong_block', what, `${node} gives other bytes for ${cid}`, { cid, node })
    }
    const possible = seen.filter(({ found }) => found === 'held' || found === 'unknown').length
    if (possible < required) {
      const message = `${possible} of ${required} required nodes hold ${cid}`
      report.disagree('too_few_pins', what, message, { cid, held: possible, required })
    }
  }
}
