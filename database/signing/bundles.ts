import { Any, type DataSource } from 'typeorm'
import { BundleEntity, type Bundle } from '../entities/Bundle.js'
import { insertNew } from '../insertNew.js'

/** CIDs that this process has seen stored. Most signatures name the same few. */
const stored = new WeakMap<DataSource, Set<string>>()

/** Writes a record that refers to bundles. */
export async function referringToBundles<T>(db: DataSource, record: () => Promise<T>): Promise<T> {
  try {
    return await record()
  } catch (error) {
    stored.delete(db) // a remembered bundle may be gone, so the retry asks the database again
    throw error
  }
}

/** Stores bundles under their CIDs, without asking again for those that this process has seen stored. */
export async function storeBundlesOnce(db: DataSource, bundles: readonly Bundle[]): Promise<void> {
  const known = stored.get(db) ?? new Set<string>()
  stored.set(db, known)
  const unknown = bundles.filter(({ cid }) => !known.has(cid))
  if (unknown.length === 0) return
  const cid = Any(unknown.map((bundle) => bundle.cid))
  const found = await db.getRepository(BundleEntity).find({ select: { cid: true }, where: { cid } })
  const present = new Set(found.map((bundle) => bundle.cid))
  const missing = unknown.filter((bundle) => !present.has(bundle.cid))
  if (missing.length > 0) await insertNew(db, BundleEntity, missing)
  for (const bundle of unknown) known.add(bundle.cid)
}

export function findBundle(db: DataSource, cid: string): Promise<Bundle | null> {
  return db.getRepository(BundleEntity).findOneBy({ cid })
}

export function loadBundle(db: DataSource, cid: string): Promise<Bundle> {
  return db.getRepository(BundleEntity).findOneByOrFail({ cid })
}
