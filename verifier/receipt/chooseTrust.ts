import { parseTrustAnchors, trustAnchorsCid, vendorAnchors, type TrustAnchors } from '@perigee/core/receipt'
import type { Bundle } from '@perigee/core/receipt/gather'
import type { ReceiptCommand } from '../parseArguments.js'
import { decodeJson, readFile } from '../sources/readFile.js'
import type { Stack } from '../sources/readStack.js'
import { UsageError } from '@perigee/core/config'

/** Anchors, and who chose them, so that the reader can tell. */
export interface Trust {
  anchors: TrustAnchors
  /** A file, the bundle, or `built in`. */
  source: string
  /** The bundle's maker chose them, not the reader: nothing is verified under them. */
  selfMade: boolean
  cid: string
}

/** The reader's own file first, then the local stack's, then the bundle's, then the vendors' roots built in here. */
export async function chooseTrust(
  command: Pick<ReceiptCommand, 'trust'>,
  stack: Stack | null,
  bundle: Bundle | null,
  cwd: string,
): Promise<Trust> {
  if (command.trust !== undefined) return fromFile(cwd, command.trust)
  if (stack !== null) {
    const trust = await fromFile(cwd, stack.trustFile).catch((error: unknown) => {
      if (error instanceof UsageError) return null // an older stack, or one still starting
      throw error
    })
    if (trust !== null) return trust
  }
  if (bundle?.anchors) return trusted(bundle.anchors, 'the bundle itself: its maker chose them', true)
  return trusted(vendorAnchors(), 'built in: Intel’s and AMD’s roots, no published builds')
}

async function fromFile(cwd: string, path: string): Promise<Trust> {
  return trusted(parseTrustAnchors(decodeJson(await readFile(cwd, path), path)), path)
}

const trusted = (anchors: TrustAnchors, source: string, selfMade = false): Trust => ({
  anchors,
  source,
  selfMade,
  cid: trustAnchorsCid(anchors),
})
