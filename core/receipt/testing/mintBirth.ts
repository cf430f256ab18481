import { sha256 } from '@noble/hashes/sha2'
import { hashOf, ownersHash, zero32, zeroAddress } from '../../authorisation/index.js'
import { encodeCreateKeyBinding, reportData } from '../../binding/index.js'
import { cidOf, fromHex, toHex, type Hex, type UnixSeconds } from '../../bytes/index.js'
import { entropyWitnessHash } from '../../entropy/index.js'
import { replayRtmr3, type RuntimeEvent } from '../../measurements/index.js'
import { mintQuote } from '../../simulation/index.js'
import type { BirthAuthorisation, BirthReceiptV1 } from '../AnyReceipt.js'
import { keyIdOf } from '../addressOfPublicKey.js'
import { buildBirth } from '../buildReceipt.js'
import { receiptBytes } from '../buildReceipt.js'
import { fingerprintOf, trustAnchorsCid } from '../anchors/TrustAnchors.js'
import type { ReceiptEvidence } from '../verify/index.js'
import { eventOf } from './eventOf.js'
import { mintCoordinator } from './mintCoordinator.js'
import { signStatement, type SampleOwner } from './sampleOwner.js'
import { sampleReceiptInput } from './sampleReceiptInput.js'
import { releasesOf, simulatedList } from './simulatedReleases.js'
import { anchorsOf, sampleEntropy, type SimulatedWorld } from './simulatedWorld.js'

/** All that a reader needs. */
export type WholeEvidence = {
  [Name in 'receipt' | 'cid' | 'collateral' | 'events' | 'releases']: NonNullable<ReceiptEvidence[Name]>
}

export interface MintedBirth {
  birth: BirthReceiptV1
  /** Everything a verifier needs, all of it good. */
  evidence: WholeEvidence
}

export interface BirthChanges {
  publicKey?: Hex
  subject?: Hex
  createdAt?: UnixSeconds
  owner?: SampleOwner | undefined
  /** What the machine measured into RTMR3, where it is not the simulated boot. */
  runtimeEvents?: RuntimeEvent[] | undefined
  publication?: BirthReceiptV1['verification']['publication'] | undefined
  /** What a broken or hostile enclave would bind instead. */
  authorisation?: (good: BirthAuthorisation) => BirthAuthorisation
}

/** The birth of the key that `mintReceipt` signs with, an hour before: all truly made and bound, under development roots. */
export function mintBirth(world: SimulatedWorld, changes: BirthChanges = {}): MintedBirth {
  const sample = sampleReceiptInput()
  const { createdAt = world.signedAt - 3600, publicKey = sample.signer.publicKey, owner } = changes
  const owners = owner?.owners ?? null
  const digest = ownersHash(owners)
  const intent = { kind: 'owners', address: zeroAddress, ownersHash: zero32, chainId: 0, digest } as const
  const approval = owner ? { passkeys: [owner.approveIntent(intent, createdAt + 60)], recovery: null } : null
  const statement = signStatement({
    kind: 'create-key',
    subject: changes.subject ?? sample.authorisation.statement.subject,
    address: zeroAddress,
    digest,
    chainId: 0,
    issuedAt: createdAt - 1,
    expiresAt: createdAt + 14,
    authorisationHash: approval === null ? zero32 : hashOf(approval),
  })
  const authorisation = changes.authorisation?.({ statement, owners, approval }) ?? { statement, owners, approval }
  const entropy = sampleEntropy('41', createdAt - 5)
  const coordinator = mintCoordinator(world, createdAt)
  const runtimeEvents = changes.runtimeEvents ?? sample.signer.runtimeEvents
  const sealedKeyHash: Hex = `0x${'5e'.repeat(32)}`
  const { nonce } = sample.signer
  const binding = encodeCreateKeyBinding({
    keyId: keyIdOf(publicKey),
    publicKey,
    sealedKeyHash,
    nonce,
    coordinatorReportHash: toHex(sha256(fromHex(coordinator.report))),
    entropyHash: entropyWitnessHash(entropy),
    ownersHash: ownersHash(authorisation.owners),
    authorisationHash: hashOf({ statement: authorisation.statement, approval: authorisation.approval }),
    createdAt,
  })
  const rtmr3 = replayRtmr3(runtimeEvents)
  const quote = mintQuote({ reportData: fromHex(reportData(binding)), rtmr3 }, world.quoteKeys)
  const birth = buildBirth({
    spec: sample.spec,
    instructions: sample.instructions,
    issuedAt: new Date((createdAt + 1) * 1000).toISOString(),
    key: { publicKey, sealedKeyHash, createdAt },
    signer: {
      platform: 'simulated',
      nonce,
      quote: toHex(quote),
      runtimeEvents,
      collateralCid: world.collateralCid,
      rootFingerprint: fingerprintOf(world.tdxRoot),
      verifiedAt: createdAt + 1,
      tcbStatus: 'UpToDate',
      advisoryIds: [],
    },
    coordinator,
    authorisation,
    entropy,
    publication: changes.publication ?? sample.publication,
    trustAnchorsCid: trustAnchorsCid(anchorsOf(world)),
  })
  const bytes = receiptBytes(birth)
  const cid = cidOf(bytes)
  const evidence = {
    receipt: bytes,
    cid,
    collateral: world.collateralBytes,
    events: [eventOf(birth, cid)],
    releases: releasesOf(simulatedList()),
  }
  return { birth, evidence }
}
