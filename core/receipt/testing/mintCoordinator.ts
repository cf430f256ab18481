import { encodeCoordinatorBinding, reportData } from '../../binding/index.js'
import { fromHex, toHex, type UnixSeconds } from '../../bytes/index.js'
import { mintSnpReport } from '../../simulation/index.js'
import type { PartsInput } from '../buildReceipt.js'
import { fingerprintOf } from '../anchors/TrustAnchors.js'
import { requestKey } from './sampleOwner.js'
import { sampleReceiptInput } from './sampleReceiptInput.js'
import type { SimulatedWorld } from './simulatedWorld.js'

/** A coordinator that was attested a minute before `at`, for `reportLife` seconds from then on. */
export function mintCoordinator(
  world: SimulatedWorld,
  at: UnixSeconds,
  reportLife: number = 3600,
): PartsInput['coordinator'] {
  const sample = sampleReceiptInput().coordinator
  const identity = { ...sample.identity, requestKey: requestKey.publicKey }
  const { nonce } = sample
  const expiresAt = at + reportLife
  const bound = reportData(encodeCoordinatorBinding({ identity, nonce, expiresAt }))
  return {
    report: toHex(mintSnpReport({ reportData: fromHex(bound) }, world.snp.reportKeys)),
    vek: world.snp.vek,
    intermediate: world.snp.intermediate,
    rootFingerprint: fingerprintOf(world.snp.root),
    identity,
    nonce,
    fetchedAt: at - 60,
    expiresAt,
  }
}
