import type { Hex } from '@perigee/core'

/** What the reader asked to have checked. */
export type Target =
  | { kind: 'proof'; url: string }
  | { kind: 'cid'; cid: string; gateway?: string }
  | { kind: 'transaction'; txHash: Hex }
  | { kind: 'file'; path: string }

const cidPattern = /^b[a-z2-7]{58}$/

/** Tells URL, CID, transaction hash and file apart by their form alone. */
export function parseTarget(text: string): Target {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) {
    const url = new URL(text)
    const [, folder, cid] = url.pathname.split('/')
    if (folder === 'ipfs' && cidPattern.test(cid ?? '')) return { kind: 'cid', cid: cid as string, gateway: url.origin }
    return { kind: 'proof', url: text }
  }
  const cid = text.replace(/^ipfs:\/\//, '')
  if (cidPattern.test(cid)) return { kind: 'cid', cid }
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return { kind: 'transaction', txHash: text.toLowerCase() as Hex }
  return { kind: 'file', path: text }
}
