import type { DataSource } from 'typeorm'
import { PinEntity } from '../entities/Bundle.js'
import { countBy } from '../selectAs.js'

/** Names of the nodes on which a block was seen pinned. */
export async function pinnedNodes(db: DataSource, cid: string): Promise<string[]> {
  return (await db.getRepository(PinEntity).findBy({ cid })).map(({ node }) => node)
}

/** The nodes gave this block just now. */
export async function recordPins(db: DataSource, cid: string, nodes: readonly string[]): Promise<void> {
  if (nodes.length === 0) return
  const pins = nodes.map((node) => ({ cid, node, verifiedAt: () => 'now()' }))
  await db.getRepository(PinEntity).upsert(pins, ['cid', 'node'])
}

/** What the node was seen to hold no longer counts: `repairPins` puts every block on it again. Returns how many. */
export async function forgetPins(db: DataSource, node: string): Promise<number> {
  return (await db.getRepository(PinEntity).delete({ node })).affected ?? 0
}

/** How many blocks each node was seen to hold. */
export function countPins(db: DataSource): Promise<Record<string, number>> {
  return countBy(db.createQueryBuilder(PinEntity, 'pin'), 'pin.node')
}

// SQL: the blocks are a union of two tables, and at most `limit` of them are read with their bytes. Only blocks with bytes count
// towards the limit: `pins` also has receipts that were replaced. Blocks never seen and blocks not seen for long take turns, each kind
// in an order that differs with every `lot`, also within a lot: blocks that a node always refuses, however many, cannot keep the others from their turn.
const staleSql = `
  SELECT c.cid, coalesce(b.bytes, convert_to(p.receipt, 'UTF8')) AS bytes
    FROM (SELECT k.cid, row_number() OVER (PARTITION BY n.verified_at IS NULL ORDER BY md5(k.cid || $4)) AS turn
            FROM (SELECT cid FROM publications WHERE cid IS NOT NULL UNION SELECT cid FROM bundles) k
            LEFT JOIN pins n ON n.cid = k.cid AND n.node = $1
           WHERE n.verified_at IS NULL OR n.verified_at < now() - make_interval(secs => $2)
           ORDER BY turn LIMIT $3) c
    LEFT JOIN publications p ON p.cid = c.cid LEFT JOIN bundles b ON b.cid = c.cid ORDER BY c.turn`

/** Some of the blocks that were never seen on this node, or not for long, with their bytes: receipts and bundles alike. */
export function stalePins(db: DataSource, node: string, olderThanSeconds: number, limit: number, lot: string) {
  return db.query<{ cid: string; bytes: Uint8Array }[]>(staleSql, [node, olderThanSeconds, limit, lot])
}
