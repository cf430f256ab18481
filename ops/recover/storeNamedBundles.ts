import { ServiceError } from '@perigee/core'
import type { ReceiptNames } from '../../activities/evidence/attestationOf.js'
import type { Recorded } from '../../activities/evidence/recordedOf.js'
import { storeBundlesOnce } from '../../database/index.js'
import type { Recovery } from './createLosses.js'

/**
 * What the receipt named when it was first recorded, so that the record gives the same bytes and the same CID again.
 * The blocks that it names are put back first.
 */
export async function storeNamedBundles(
  { database, findBundle, apply }: Recovery,
  { anchors, trustAnchorsCid }: Recorded,
  collateralCid: string,
): Promise<ReceiptNames> {
  const read = async (cid: string) => {
    const bytes = await findBundle(cid)
    if (bytes) return bytes
    throw new ServiceError('collateral_unavailable', `the block ${cid} that its receipt names is on none of our nodes; a worker's COLLATERAL_DIR may have it`) // prettier-ignore
  }
  const [collateral, trustAnchors] = [await read(collateralCid), await read(trustAnchorsCid)]
  if (apply)
    await storeBundlesOnce(database, [{ cid: collateralCid, kind: 'collateral', bytes: Buffer.from(collateral) }])
  return { anchors, trustAnchors: { cid: trustAnchorsCid, bytes: trustAnchors } }
}
