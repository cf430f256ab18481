import { createPublicClient, encodeEventTopics, http } from 'viem'
import { attestationPublished } from '@perigee/core/proof'
import { queryOnce } from '../../dev/stack/components/postgres.js'
import { waitUntil } from '../../dev/stack/processes/waitUntil.js'
import type { StackFile } from '../../dev/stack/stackFile.js'
import { watchedTypes } from '../check/readTemporal.js'
import { withTemporal } from '../withTemporal.js'

/** How many proofs there are, and how many of them are not complete. */
export async function countProofs({ databaseUrl }: StackFile): Promise<{ all: number; unfinished: number }> {
  const counts = `SELECT count(*)::int AS all, count(*) FILTER (WHERE status <> 'complete')::int AS unfinished FROM publications`
  const [row] = await queryOnce<{ all: number; unfinished: number }>(databaseUrl, counts)
  return row ?? { all: 0, unfinished: 0 }
}

const running = `ExecutionStatus = 'Running' AND WorkflowType IN (${watchedTypes.map((type) => `'${type}'`).join(', ')})`

/**
 * Waits until every proof is complete, every webhook delivered, every head of the audit log anchored that was to be (by an
 * anchor of its own or a later one), every event on the chain as it stands after all reorgs, and every workflow ended: one whose
 * worker died after its last step goes on when that is noticed. Returns the seconds it took. When time runs out it returns too,
 * and the checker says what is missing.
 */
export async function waitForQuiet(stack: StackFile, timeoutMs: number): Promise<number> {
  const chain = createPublicClient({ transport: http(stack.rpcUrl) })
  const topics = encodeEventTopics({ abi: [attestationPublished] })
  const events = { address: stack.contractAddress, topics, fromBlock: '0x0' } as const
  const start = Date.now()
  const isQuiet = async () => {
    const { all, unfinished } = await countProofs(stack)
    if (unfinished > 0) return false
    const pending = await queryOnce(
      stack.databaseUrl,
      `SELECT 1 FROM webhook_deliveries WHERE state = 'pending'
        UNION ALL SELECT 1 FROM audit_anchors WHERE onchain_tx_hash IS NULL AND sequence >
          (SELECT coalesce(max(sequence), 0) FROM audit_anchors WHERE onchain_tx_hash IS NOT NULL) LIMIT 1`,
    )
    if (pending.length > 0) return false
    // Only counted, so they need not be decoded.
    const logs = await chain.request({ method: 'eth_getLogs', params: [events] })
    if (logs.length !== all) return false
    return withTemporal(stack, async ({ workflow }) => (await workflow.count(running)).count === 0)
  }
  await waitUntil('quiet', isQuiet, { timeoutMs, everyMs: 2_000 }).catch(() => undefined)
  return Math.round((Date.now() - start) / 100) / 10
}
