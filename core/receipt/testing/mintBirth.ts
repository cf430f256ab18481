import { sha256 } from '@noble/hashes/sha2'
import { hashOf, ownersHash, zero32, zeroAddress } from '../../authorisation/index.js'
import { encodeCreateKeyBinding } from '../../binding/index.js'
import { fromHex, toHex, type Hex, type UnixSeconds } from '../../bytes/index.js'
import { entropyWitnessHash } from '../../entropy/index.js'
import type { RuntimeEvent } from '../../measurements/index.js'
import type { BirthAuthorisation, BirthReceiptV1 } from '../AnyReceipt.js'
import { buildBirth } from '../buildReceipt.js'
import { keyIdOf } from '../addressOfPublicKey.js'
import { fingerprintOf, trustAnchorsCid } from '../anchors/TrustAnchors.js'
import { evidenceOf, quoteOver, type MintedEvidence } from './evidenceOf.js'
import { mintCoordinator } from './mintCoordinator.js'
import { stateAt, type SampleOwner } from './sampleOwner.js'
import { sampleReceiptInput } from './sampleReceiptInput.js'
import { anchorsOf, sampleEntropy, type SimulatedWorld } from './simulatedWorld.js'

export interface MintedBirth {
  birth: BirthReceiptV1
  evidence: MintedEvidence
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
  const { subject = sample.authorisation.statement.subject } = changes
  const about = { kind: 'create-key', subject, address: zeroAddress, digest, chainId: 0 } as const
  const statement = stateAt(createdAt, about, approval)
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
  const birth = buildBirth({
    spec: sample.spec,
    instructions: sample.instructions,
    issuedAt: new Date((createdAt + 1) * 1000).toISOString(),
    key: { publicKey, sealedKeyHash, createdAt },
    signer: {
      platform: 'simulated',
      nonce,
      quote: quoteOver(world, binding, runtimeEvents),
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
  return { birth, evidence: evidenceOf(birth, world.collateralBytes) }
}
