import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataSource } from 'typeorm'
import { createKuboNode } from '../../clients/ipfs/createKuboNode.js'
import { readVerified, type BlockSource } from '../../clients/ipfs/readVerified.js'
import { findBundle } from '../../database/index.js'
import type { OpsConfig } from '../config.js'

/** The bytes behind a CID, wherever they still are: the records, our IPFS nodes, the folder of verified collateral. */
export type BundleFinder = (cid: string) => Promise<Uint8Array | null>

export function createBundleFinder(config: OpsConfig, database: DataSource): BundleFinder {
  const nodes = config.ipfs().apiUrls.map((url) => createKuboNode(url))
  const dir = config.collateralDir()
  const sources: BlockSource[] = [
    async (cid) => (await findBundle(database, cid))?.bytes ?? null,
    ...nodes.map((node) => node.read),
    (cid) => (dir === null ? Promise.resolve(null) : readFile(join(dir, cid)).catch(unlessMissing)),
  ]
  return (cid) => readVerified(cid, sources)
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
