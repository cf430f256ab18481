import { verifyCid } from '@perigee/core'

/** Gives a block as it has it, not compared with the CID; null when it does not have it. */
export type BlockSource = (cid: string) => Promise<Uint8Array | null>

/**
 * The block from the first source with the right bytes. A source that fails or gives other bytes must not hide a good copy
 * on the next. Null when none has it, or a source that failed may have it; throws `cid_mismatch` when all answered and there
 * are only wrong copies.
 */
export async function readVerified(cid: string, sources: readonly BlockSource[]): Promise<Uint8Array | null> {
  let mismatch: unknown = null
  let anyFailed = false
  for (const source of sources) {
    const bytes = await source(cid).catch(() => {
      anyFailed = true
      return null
    })
    if (!bytes) continue
    try {
      verifyCid(cid, bytes)
      return bytes
    } catch (error) {
      mismatch ??= error
    }
  }
  if (mismatch && !anyFailed) throw mismatch
  return null
}
