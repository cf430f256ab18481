import { sha256 } from '@noble/hashes/sha2'
import { cidOf, toHex, type Hex } from '../../bytes/index.js'
import type { MeasurementRelease } from '../../measurements/index.js'
import { releaseKeyOf, signedFile } from '../../measurements/testing/sampleRelease.js'
import type { ReleaseAnnouncement, ReleaseEvidence, ReleaseTrust } from '../../releases/index.js'
import { simulatedBuilds } from '../../simulation/testing/simulatedBuilds.js'

const releaseSeed = 9
const contract: Hex = `0x${'f1'.repeat(20)}`
const chainId = 31337

/** Whose lists the simulated world accepts. */
export const releaseTrust: ReleaseTrust = {
  publicKey: releaseKeyOf(releaseSeed),
  contracts: [{ chainId, address: contract }],
}

/** A list with the builds that simulated receipts come from. */
export function simulatedList(version = 1, changes: Partial<MeasurementRelease> = {}): MeasurementRelease {
  return { ...simulatedBuilds, version, issuedAt: '2026-11-01T00:00:00Z', ...changes }
}

/** The file of a list, signed by the key that the simulated world accepts, or by another. */
export const listFile = (list: MeasurementRelease, seed = releaseSeed): Uint8Array => signedFile(list, seed)

/** The event that announces a file as a version. */
export function announcementOf(file: Uint8Array, version: number, blockNumber: number): ReleaseAnnouncement {
  return {
    kind: 'announced',
    chainId,
    contract,
    version,
    sha256: toHex(sha256(file)),
    cid: cidOf(file),
    blockNumber,
    logIndex: 0,
  }
}

/** The event that withdraws a version. */
export const withdrawalOf = (version: number, blockNumber: number): ReleaseAnnouncement => ({
  kind: 'withdrawn',
  chainId,
  contract,
  version,
  blockNumber,
  logIndex: 0,
})

/** Lists announced in blocks 1, 2, 3 …: all that a verifier needs. */
export function releasesOf(...lists: MeasurementRelease[]): ReleaseEvidence {
  const files = lists.map((list) => listFile(list))
  return { announcements: files.map((file, index) => announcementOf(file, index + 1, index + 1)), lists: files }
}
