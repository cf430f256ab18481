import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { verifyCid } from '@perigee/core'
import type { CollateralStore } from './CollateralSupply.js'

/** Collateral in a folder: one file per CID, and per platform a small file naming its newest CID. */
export function createCollateralFolder(dir: string): CollateralStore {
  const pointer = (platform: string) => join(dir, `${platform}.cid`)
  return {
    async load(platform) {
      try {
        const cid = (await readFile(pointer(platform), 'utf8')).trim()
        const bytes = new Uint8Array(await readFile(join(dir, cid)))
        verifyCid(cid, bytes)
        return bytes
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    async save(platform, { cid, bytes }) {
      await mkdir(dir, { recursive: true })
      await replace(join(dir, cid), bytes)
      await replace(pointer(platform), cid)
    },
  }
}

/** Readers see the old file or the new one, never half of one. */
async function replace(path: string, content: Uint8Array | string): Promise<void> {
  const draft = `${path}.${process.pid}`
  await writeFile(draft, content)
  await rename(draft, path)
}
