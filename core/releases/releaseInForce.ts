import { sha256 } from '@noble/hashes/sha2'
import { cidOf, toHex, type Hex } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import { verifyRelease, type MeasurementRelease } from '../measurements/index.js'
import type { ReleaseAnnouncement, ReleaseEvidence, ReleaseTrust } from './ReleaseAnnouncement.js'

type Announced = ReleaseAnnouncement & { kind: 'announced' }

/** The list of builds that counts at a block. */
export interface ReleaseInForce {
  release: MeasurementRelease
  sha256: Hex
  cid: string
  contract: Hex
  /** The block since which it was in force: of its announcement, or of the withdrawal of a later list. */
  fromBlock: number
  /** Lists that were announced by then and are not in force, newest first, as far as their bytes were given. */
  others: MeasurementRelease[]
}

/** A list, or why it is none. */
type Read = MeasurementRelease | ServiceError

/** Lists that are verified already, by release key and SHA-256. A failure is kept too. */
export type VerifiedLists = Map<string, Read>

/**
 * The list in force at a block: the highest version that an expected contract announced at or before it and did not
 * withdraw at or before it. Throws `release_missing` when there is none, `release_rollback` and `release_conflict` for
 * versions that go back or mean two lists, `evidence_missing` without the list's bytes, and what `verifyRelease` throws.
 * Calls that share `verified` verify each list once.
 */
export function releaseInForce(
  { announcements, lists }: ReleaseEvidence,
  trust: ReleaseTrust,
  at: { chainId: number; blockNumber: number },
  verified: VerifiedLists = new Map(),
): ReleaseInForce {
  const events = announcements.filter((event) => isExpected(event, trust, at)).sort(byPosition)
  const announced = inOrder(events)
  const withdrawals = events.filter(({ kind }) => kind === 'withdrawn')
  const isWithdrawn = (version: number) => withdrawals.some((event) => event.version === version)
  const chosen = announced.findLast(({ version }) => !isWithdrawn(version))
  if (chosen === undefined) {
    const facts = { block: at.blockNumber, announced: announced.length, chainId: at.chainId }
    throw new ServiceError('release_missing', 'no list of builds was in force at this block', facts)
  }
  const files = new Map(lists.map((bytes) => [toHex(sha256(bytes)), bytes]))
  const readable = new Map([...files].map(([hash, bytes]) => [hash, readOnce(verified, hash, bytes, trust.publicKey)]))
  const bytes = files.get(chosen.sha256)
  const release = readable.get(chosen.sha256)
  if (bytes === undefined || release === undefined) {
    const facts = { version: chosen.version, sha256: chosen.sha256, cid: chosen.cid }
    throw new ServiceError('evidence_missing', `list ${chosen.version} of builds was not given`, facts)
  }
  if (cidOf(bytes) !== chosen.cid) {
    const facts = { cid: chosen.cid }
    throw new ServiceError('cid_mismatch', `list ${chosen.version} was announced with the CID of something else`, facts)
  }
  if (release instanceof ServiceError) throw release
  refuseOtherVersion(release, chosen)
  refuseTwins(release, chosen, readable)
  const others = announced.filter((one) => one !== chosen)
  const isLater = ({ version }: ReleaseAnnouncement) => version > chosen.version
  return {
    release,
    sha256: chosen.sha256,
    cid: chosen.cid,
    contract: chosen.contract,
    fromBlock: Math.max(chosen.blockNumber, ...withdrawals.filter(isLater).map((event) => event.blockNumber)),
    others: others.reverse().flatMap((one) => otherList(readable.get(one.sha256), one)),
  }
}

function isExpected(event: ReleaseAnnouncement, trust: ReleaseTrust, at: { chainId: number; blockNumber: number }) {
  return (
    event.chainId === at.chainId &&
    event.blockNumber <= at.blockNumber &&
    trust.contracts.some(({ chainId, address }) => chainId === at.chainId && address === event.contract.toLowerCase())
  )
}

const byPosition = (a: ReleaseAnnouncement, b: ReleaseAnnouncement) =>
  a.blockNumber - b.blockNumber || a.logIndex - b.logIndex

/** The announcements, which must be 1, 2, 3 … as the contract enforces: a node that shows anything else hides or invents some. */
function inOrder(events: readonly ReleaseAnnouncement[]): Announced[] {
  const found: Announced[] = []
  for (const event of events) {
    if (event.kind === 'withdrawn') continue
    const { version } = event
    const same = found[version - 1]
    if (same !== undefined && same.sha256 !== event.sha256) {
      throw new ServiceError('release_conflict', `two lists of version ${version} were announced`, { version })
    }
    if (same !== undefined && same.contract !== event.contract) continue // repeated by a second contract you expect
    if (version <= found.length) {
      throw new ServiceError('release_rollback', `version ${version} was announced after ${found.length}`, { version })
    }
    if (version > found.length + 1) {
      const facts = { missing: found.length + 1 }
      throw new ServiceError('evidence_missing', `the announcement of list ${found.length + 1} is missing`, facts)
    }
    found.push(event)
  }
  return found
}

function refuseOtherVersion(release: MeasurementRelease, { version }: Announced): void {
  if (release.version === version) return
  const facts = { announced: version, version: release.version }
  const code = release.version < version ? 'release_rollback' : 'release_conflict'
  throw new ServiceError(code, `list ${release.version} was announced as version ${version}`, facts)
}

/** A second list of the same version, signed by the same key, shows that the signer tells two stories. */
function refuseTwins(release: MeasurementRelease, chosen: Announced, lists: ReadonlyMap<Hex, Read>): void {
  for (const [hash, other] of lists) {
    if (hash === chosen.sha256 || other instanceof ServiceError || other.version !== release.version) continue
    const facts = { version: release.version, announced: chosen.sha256, other: hash }
    throw new ServiceError('release_conflict', `two signed lists of version ${release.version} exist`, facts)
  }
}

/** Lists that are not in force only explain a refusal, so one that is missing or broken is left out. */
function otherList(release: Read | undefined, announced: Announced): MeasurementRelease[] {
  if (release === undefined || release instanceof ServiceError) return []
  return release.version === announced.version ? [release] : []
}

function readOnce(verified: VerifiedLists, hash: Hex, bytes: Uint8Array, publicKey: Hex): Read {
  const key = `${publicKey} ${hash}`
  const found = verified.get(key) ?? readList(bytes, publicKey)
  verified.set(key, found)
  return found
}

function readList(bytes: Uint8Array, publicKey: Hex): Read {
  try {
    return verifyRelease(bytes, publicKey)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}
