import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataSource } from 'typeorm'
import { verifyCid } from '@perigee/core'
import { createKuboNode } from '../../clients/ipfs/createKuboNode.js'
import { findBundle } from '../../database/index.js'
import type { OpsConfig } from '../config.js'

/** The bytes behind a CID, wherever they still are: the records, our IPFS nodes, the folder of verified collateral. */
export type BundleFinder = (cid: string) => Promise<Uint8Array | null>

export function createBundleFinder(config: OpsConfig, database: DataSource): BundleFinder {
  const nodes = config.ipfs().apiUrls.map((url) => createKuboNode(url))
  const dir = config.collateralDir()
  const sources: BundleFinder[] = [
    async (cid) => (await findBundle(database, cid))?.bytes ?? null,
    ...nodes.map(
      (node): BundleFinder =>
        (cid) =>
          node.read(cid),
    ),
    async (cid) => (dir === null ? null : new Uint8Array(await readFile(join(dir, cid)))),
  ]
  return async (cid) => {
    for (const source of sources) {
      const bytes = await source(cid).catch(() => null)
      if (!bytes) continue
      verifyCid(cid, bytes)
      return bytes
    }
    return null
  }
}
