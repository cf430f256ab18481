import { ServiceError } from '@perigee/core'
import type { PinningNode } from '../../clients/ipfs/PinningNode.js'
import type { Report } from './createReport.js'

/** A node that failed this often in a row is not asked again, so that the run ends. */
const maxFailuresInARow = 5

/** Returns a check that looks for one block on every node and reports what is missing or wrong. */
export function createBlockCheck(nodes: readonly PinningNode[], required: number, report: Report) {
  const failuresInARow = new Map<string, number>()

  async function look(node: PinningNode, cid: string): Promise<'held' | 'missing' | 'wrong' | 'unknown'> {
    const failures = failuresInARow.get(node.name) ?? 0
    if (failures >= maxFailuresInARow) return 'unknown'
    try {
      const found = await node.look(cid)
      failuresInARow.set(node.name, 0)
      return found
    } catch (error) {
      failuresInARow.set(node.name, failures + 1)
      report.couldNotCheck(`IPFS node ${node.name}`, error instanceof ServiceError ? error.code : 'it failed')
      return 'unknown'
    }
  }

  return async (cid: string, subject: string): Promise<void> => {
    report.count('blocks')
    const seen = await Promise.all(nodes.map(async (node) => ({ node: node.name, found: await look(node, cid) })))
    for (const { node, found } of seen) {
      if (found === 'missing') report.mismatch('missing_pin', subject, `${node} does not hold ${cid}`, { cid, node })
      if (found === 'wrong') {
        report.mismatch('wrong_block', subject, `${node} returns other bytes for ${cid}`, { cid, node })
      }
    }
    const held = seen.filter(({ found }) => found === 'held' || found === 'unknown').length
    if (held < required) {
      const message = `${held} of ${required} required nodes hold ${cid}`
      report.mismatch('too_few_pins', subject, message, { cid, held, required })
    }
  }
}
