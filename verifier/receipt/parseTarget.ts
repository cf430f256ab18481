import type { Hex } from '@perigee/core/bytes'
import { UsageError } from '@perigee/core/config'

/** What the command line names. */
export type NamedTarget =
  | { kind: 'proof'; url: string; slug: string }
  | { kind: 'cid'; cid: string; gateway?: string }
  | { kind: 'transaction'; txHash: Hex }
  | { kind: 'file'; path: string }

const cidPattern = /^b[a-z2-7]{58}$/

/** Slugs have at least 128 random bits and no dot, so they are not taken for a file's name. */
const slugPattern = /^[A-Za-z0-9_-]{20,64}$/

/** Tells URL, CID, transaction hash, slug (when a service is known) and file apart by their form. */
export function parseTarget(text: string, api?: string): NamedTarget {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) {
    const url = new URL(text)
    const parts = url.pathname.split('/').filter(Boolean)
    const [folder, cid = ''] = parts
    if (folder === 'ipfs' && cidPattern.test(cid)) return { kind: 'cid', cid, gateway: url.origin }
    const slug = parts.at(-1)
    if (slug === undefined) throw new UsageError('this address names no proof: those end in /p/ or /proof/ and a slug')
    return { kind: 'proof', url: text, slug }
  }
  const cid = text.replace(/^ipfs:\/\//, '')
  if (cidPattern.test(cid)) return { kind: 'cid', cid }
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return { kind: 'transaction', txHash: text.toLowerCase() as Hex }
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) throw new UsageError(`${text} is a wallet: put the word wallet before it`)
  if (api !== undefined && slugPattern.test(text)) {
    return { kind: 'proof', url: `${api}/proof/${text}`, slug: text }
  }
  return { kind: 'file', path: text }
}
