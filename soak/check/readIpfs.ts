import { cidOf } from '@perigee/core'
import { inParallel } from '../../clients/concurrency/inParallel.js'
import type { Evidence } from './Evidence.js'

const atOnce = 8

const ask = (apiUrl: string, path: string) =>
  fetch(`${apiUrl}/api/v0/${path}`, { method: 'POST', signal: AbortSignal.timeout(60_000) })

/** The bytes that the node has for a CID. */
export async function readBlock(apiUrl: string, cid: string): Promise<Uint8Array> {
  return new Uint8Array(await (await ask(apiUrl, `block/get?arg=${cid}`)).arrayBuffer())
}

/** What the node has pinned, and the CID of the bytes that it returns for each of these CIDs. */
export async function readIpfs(apiUrl: string, cids: readonly string[]): Promise<Pick<Evidence, 'blocks' | 'pinned'>> {
  const pins = await ask(apiUrl, 'pin/ls?type=recursive')
  const { Keys: keys } = (await pins.json()) as { Keys: Record<string, unknown> }
  const blocks: Record<string, string | null> = {}
  await inParallel(atOnce, cids, async (cid) => {
    const answer = await ask(apiUrl, `block/get?arg=${cid}`)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    blocks[cid] = answer.ok ? cidOf(bytes) : null
  })
  return { blocks, pinned: Object.keys(keys) }
}
