import type { EntityManager } from 'typeorm'
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
