import type { DataSource, EntityManager } from 'typeorm'
import type { Bundle } from '../entities/Bundle.js'

/** Keeps bytes under their CID, once. Most signatures name bundles that are there already, so look before sending. */
export async function storeBundles(
  manager: EntityManager,
  bundles: readonly Pick<Bundle, 'cid' | 'kind' | 'bytes'>[],
): Promise<void> {
  const rows = await manager.query<{ cid: string }[]>('SELECT cid FROM bundles WHERE cid = ANY($1)', [
    bundles.map(({ cid }) => cid),
  ])
  const known = new Set(rows.map(({ cid }) => cid))
  for (const { cid, kind, bytes } of bundles) {
    if (known.has(cid)) continue
    await manager.query('INSERT INTO bundles (cid, kind, bytes) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
      cid,
      kind,
      Buffer.from(bytes),
    ])
  }
}

const stored = new WeakMap<DataSource, Set<string>>()

/** The same outside a transaction, and without asking again for what this process has seen stored. */
export async function storeBundlesOnce(
  db: DataSource,
  bundles: readonly Pick<Bundle, 'cid' | 'kind' | 'bytes'>[],
): Promise<void> {
  const known = stored.get(db) ?? new Set<string>()
  stored.set(db, known)
  const missing = bundles.filter(({ cid }) => !known.has(cid))
  if (missing.length === 0) return
  await storeBundles(db.manager, missing)
  for (const { cid } of missing) known.add(cid)
}

export function forgetStoredBundles(db: DataSource): void {
  stored.delete(db)
}
