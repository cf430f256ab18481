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

/**
 * What of a stack's file counts under these anchors. The file is in the current folder, which may have been downloaded:
 * its node serves a simulation only, and its contract belongs to its own anchors. Gateway and service need no trust.
 */
export function placesUnder({ anchors, source }: Trust, stack: Stack | null): Stack | null {
  if (stack === null) return null
  const { rpc, contract, ...rest } = stack
  return {
    ...rest,
    ...(anchors.simulated && { rpc }),
    ...(source === stack.trustFile && { contract }),
  }
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
    if (trust?.anchors.simulated === false) {
      throw new UsageError(
        `${stack.trustFile} accepts real hardware, so no local stack made it. Give your own anchors with --trust, or --no-stack`,
      )
    }
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
