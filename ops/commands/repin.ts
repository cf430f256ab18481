import { ServiceError } from '@perigee/core'
import type { OperatorRequest } from '@perigee/core/workflow'
import { createPublishingMeter } from '../../clients/createPublishingMeter.js'
import { createPinningNodes } from '../../clients/ipfs/createPinningNodes.js'
import { repairPins } from '../../clients/ipfs/repairPins.js'
import { appendAuditEvent, forgetPins } from '../../database/index.js'
import type { OpsConfig } from '../config.js'
import { withDatabase } from '../connections.js'
import type { Outcome } from '../Outcome.js'

const page = { olderThanSeconds: 24 * 60 * 60, limit: 200 }

/**
 * Puts every block on one node now: a new one, or one that lost its disk. `repairPins` believes a node for a day after it
 * has shown a block, and takes some hundred blocks each time. Safe to repeat; a node that has a block does nothing.
 */
export function repin(config: OpsConfig, name: string, request: OperatorRequest): Promise<Outcome> {
  const { nodes } = createPinningNodes(config.ipfs())
  const node = nodes.find((one) => one.name === name)
  if (!node) {
    const known = nodes.map((one) => one.name).join(', ')
    throw new ServiceError('invalid_request', `no IPFS node of that name is configured, only ${known}`)
  }
  return withDatabase(config, async (database) => {
    await appendAuditEvent(database, { kind: 'operator_node_repinned', facts: { node: name, ...request } })
    const forgotten = await forgetPins(database, name)
    const deps = { database, nodes: [node], required: 1, meter: createPublishingMeter() }
    let pinned = 0
    for (;;) {
      const { held, short } = await repairPins(deps, page, new AbortController().signal)
      pinned += held
      if (held > 0) continue
      const lines = [`${name}  ${pinned} blocks pinned and read back, ${short.length} not`]
      return { lines, json: { node: name, forgotten, pinned, missing: short }, exitCode: short.length === 0 ? 0 : 3 }
    }
  })
}
