import { sha256 } from '@noble/hashes/sha2'
import { authorisationOf, hashOf, ownersHash, type Authorisation } from '../../authorisation/index.js'
import { encodeSignBinding } from '../../binding/index.js'
import { cidOf, fromHex, toHex, type UnixSeconds } from '../../bytes/index.js'
import { entropyWitnessHash, type EntropySample } from '../../entropy/index.js'
import type { RuntimeEvent } from '../../measurements/index.js'
import { policyHash, type SigningPolicy } from '../../policy/index.js'
import { transactionDigest, type TxMetadata } from '../../transaction/index.js'
import type { AttestationReceiptV1 } from '../AnyReceipt.js'
import { buildReceipt } from '../buildReceipt.js'
import { addressOfPublicKey } from '../addressOfPublicKey.js'
import { fingerprintOf, trustAnchorsCid, type TrustAnchors } from '../anchors/TrustAnchors.js'
import { evidenceOf, quoteOver, type MintedEvidence } from './evidenceOf.js'
import { mintBirth, type MintedBirth } from './mintBirth.js'
import { mintCoordinator } from './mintCoordinator.js'
import { stateAt, type SampleOwner } from './sampleOwner.js'
import { sampleReceiptInput, sampleTransaction, signSample } from './sampleReceiptInput.js'
import { anchorsOf, sampleEntropy, type SimulatedWorld } from './simulatedWorld.js'

export interface Minted {
  receipt: AttestationReceiptV1
  birth: MintedBirth['birth']
  anchors: TrustAnchors
  evidence: MintedEvidence & { birth: MintedEvidence }
}

/** A receipt whose signature, entropy, quote and report are all truly made and bound, under development roots. */
export function mintReceipt(
  world: SimulatedWorld,
  changes: {
    transaction?: Partial<TxMetadata>
    entropy?: EntropySample
    quoteVersion?: 4 | 5
    /** What the machine measured into RTMR3, where it is not the simulated boot. */
    runtimeEvents?: RuntimeEvent[]
    /** What a broken or hostile enclave would bind instead: the quote vouches for it all the same. */
    authorisation?: (good: Authorisation) => Authorisation
    /** Seconds after the signature at which the coordinator's report expires. */
    reportLife?: number
    /** A wallet with owners, and how one of them approves. */
    owner?: SampleOwner
    policy?: SigningPolicy
    /** Of the key, an hour before, unless given. */
    birth?: MintedBirth
    publication?: Minted['receipt']['verification']['publication']
    /** When the quote was verified for publication, and with what: a second after the signature unless given. */
    assembled?: { at: UnixSeconds; collateral?: Uint8Array }
  } = {},
): Minted {
  const { signedAt } = world
  const sample = sampleReceiptInput()
  const transaction = { ...sampleTransaction, ...changes.transaction }
  const entropy = changes.entropy ?? sampleEntropy('42', signedAt - 5)
  const signature = signSample(transaction)
  const anchors = anchorsOf(world)
  const address = addressOfPublicKey(sample.signer.publicKey)
  const digest = transactionDigest(transaction)
  const born = changes.birth ?? mintBirth(world, { owner: changes.owner, publication: changes.publication })
  const coordinator = mintCoordinator(world, signedAt, changes.reportLife)
  const approval = changes.owner?.approve(address, transaction.chainId, digest, signedAt + 60) ?? null
  const { kind, subject } = sample.authorisation.statement
  const statement = stateAt(signedAt, { kind, subject, address, digest, chainId: transaction.chainId }, approval)
  const owners = changes.owner?.owners ?? null
  const shown = authorisationOf({ statement, approval, owners, since: owners && 'creation' })
  const authorisation = changes.authorisation?.(shown) ?? shown
  const binding = encodeSignBinding({
    chainId: transaction.chainId,
    keyId: sample.signer.keyId,
    publicKey: sample.signer.publicKey,
    digest,
    signature,
    nonce: sample.signer.nonce,
    coordinatorReportHash: toHex(sha256(fromHex(coordinator.report))),
    entropyHash: entropyWitnessHash(entropy),
    policyHash: policyHash(changes.policy ?? sample.signer.policy),
    ownersHash: ownersHash(authorisation.passkey?.owners ?? null),
    authorisationHash: hashOf(authorisation),
    signedAt,
  })
  const { at: verifiedAt, collateral = world.collateralBytes } = changes.assembled ?? { at: signedAt + 1 }
  const { quoteVersion: version, runtimeEvents = sample.signer.runtimeEvents } = changes
  const receipt = buildReceipt({
    ...sample,
    issuedAt: new Date(verifiedAt * 1000).toISOString(),
    transaction,
    signature,
    entropy,
    publication: changes.publication ?? sample.publication,
    signer: {
      ...sample.signer,
      birthCid: born.evidence.cid,
      policy: changes.policy ?? sample.signer.policy,
      signedAt,
      verifiedAt,
      quote: quoteOver(world, binding, runtimeEvents, version),
      runtimeEvents,
      collateralCid: cidOf(collateral),
      rootFingerprint: fingerprintOf(world.tdxRoot),
    },
    coordinator,
    authorisation,
    trustAnchorsCid: trustAnchorsCid(anchors),
  })
  const evidence = { ...evidenceOf(receipt, collateral, verifiedAt + 7), birth: born.evidence }
  return { receipt, birth: born.birth, anchors, evidence }
}

/** What IPFS holds for a receipt, by CID. */
export function blocksOf({ evidence }: Pick<Minted, 'evidence'>): Record<string, Uint8Array> {
  const { receipt, collateral, releases, birth } = evidence
  const blocks = [receipt, collateral, birth.receipt, birth.collateral, ...releases.lists]
  return Object.fromEntries(blocks.map((bytes) => [cidOf(bytes), bytes]))
}
