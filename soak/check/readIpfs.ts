import { cidOf } from '@perigee/core'
import { inParallel } from '../../clients/concurrency/inParallel.js'
import type { Evidence } from './Evidence.js'

const atOnce = 8

/** What the node has pinned, and the CID of the bytes that it returns for each of these CIDs. */
export async function readIpfs(apiUrl: string, cids: readonly string[]): Promise<Pick<Evidence, 'blocks' | 'pinned'>> {
  const ask = (path: string) =>
    fetch(`${apiUrl}/api/v0/${path}`, { method: 'POST', signal: AbortSignal.timeout(60_000) })
  const { Keys: keys } = (await (await ask('pin/ls?type=recursive')).json()) as { Keys: Record<string, unknown> }
  const blocks: Record<string, string | null> = {}
  await inParallel(atOnce, cids, async (cid) => {
    const answer = await ask(`block/get?arg=${cid}`)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    blocks[cid] = answer.ok ? cidOf(bytes) : null
  })
  return { blocks, pinned: Object.keys(keys) }
}
