import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { verifyCid, type UnixSeconds } from '@perigee/core'

/** Collateral with its name: the CID of its bytes, and when its source last gave it, or something newer in its place. */
export interface StoredCollateral {
  cid: string
  bytes: Uint8Array
  refreshedAt: UnixSeconds
}

/**
 * Keeps the newest bytes of each name across restarts: one file per CID, and per name a small file with its newest CID and when that
 * was last refreshed.
 */
export function createCollateralFolder(dir: string) {
  const pointer = (name: string) => join(dir, `${name}.cid`)
  return {
    async load(name: string): Promise<Omit<StoredCollateral, 'cid'> | undefined> {
      try {
        const [cid = '', refreshedAt] = (await readFile(pointer(name), 'utf8')).trim().split(' ')
        const bytes = new Uint8Array(await readFile(join(dir, cid)))
        verifyCid(cid, bytes)
        return { bytes, refreshedAt: Number(refreshedAt ?? 0) }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    async save(name: string, { cid, bytes, refreshedAt }: StoredCollateral): Promise<void> {
      await mkdir(dir, { recursive: true })
      await replace(join(dir, cid), bytes)
      await replace(pointer(name), `${cid} ${refreshedAt}`)
    },
  }
}

/** Readers see the old file or the new one, never half of one. */
async function replace(path: string, content: Uint8Array | string): Promise<void> {
  const draft = `${path}.${process.pid}`
  await writeFile(draft, content)
  await rename(draft, path)
}
