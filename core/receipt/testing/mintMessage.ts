import { sha256 } from '@noble/hashes/sha2'
import { authorisationOf, hashOf, ownersHash, signingIntent } from '../../authorisation/index.js'
import { encodeSignMessageBinding } from '../../binding/index.js'
import { fromHex, toHex, type Hex } from '../../bytes/index.js'
import { entropyWitnessHash, type EntropySample } from '../../entropy/index.js'
import {
  messageCommitment,
  messageKinds,
  parseMessage,
  requestHash,
  type Message,
  type Opening,
} from '../../message/index.js'
import { policyHash } from '../../policy/index.js'
import { addressOfPublicKey } from '../addressOfPublicKey.js'
import { buildMessageReceipt } from '../buildReceipt.js'
import type { MessageReceiptV1 } from '../AnyReceipt.js'
import { fingerprintOf, trustAnchorsCid } from '../anchors/TrustAnchors.js'
import { evidenceOf, quoteOver } from './evidenceOf.js'
import { mintBirth } from './mintBirth.js'
import { mintCoordinator } from './mintCoordinator.js'
import type { Minted } from './mintReceipt.js'
import { stateAt, type SampleOwner } from './sampleOwner.js'
import { sampleReceiptInput, signSampleDigest } from './sampleReceiptInput.js'
import { anchorsOf, sampleEntropy, type SimulatedWorld } from './simulatedWorld.js'

export interface MintedMessage extends Pick<Minted, 'evidence'> {
  receipt: MessageReceiptV1
  opening: Opening
}

/** The receipt of a signed message, all of it truly made and bound, under development roots. */
export function mintMessage(
  world: SimulatedWorld,
  message: Message,
  changes: {
    /** A wallet with owners, and how one of them approves. */
    owner?: SampleOwner
    /** What a broken enclave would give instead of the wallet's signature. */
    signature?: Hex
    entropy?: EntropySample
  } = {},
): MintedMessage {
  const { owner } = changes
  const { signedAt } = world
  const sample = sampleReceiptInput()
  const { nonce, policy, publicKey, keyId, runtimeEvents } = sample.signer
  const address = addressOfPublicKey(publicKey)
  const { scheme } = message
  const { digest } = parseMessage(message)
  const salt: Hex = `0x${'7a'.repeat(32)}`
  const hidden = { scheme, digest, salt }
  const signature = changes.signature ?? signSampleDigest(digest)
  const kind = messageKinds[scheme]
  const asked = requestHash(hidden)
  const commitment = messageCommitment(hidden, signature)
  const owners = owner?.owners ?? null
  const intent = owners && signingIntent(address, owners, { kind, chainId: 0, digest: asked })
  const approval = owner && intent ? owner.approveIntent(intent, signedAt + 60) : null
  const { subject } = sample.authorisation.statement
  const about = { kind: `sign-${kind}`, subject, address, digest: asked, chainId: 0 } as const
  const statement = stateAt(signedAt, about, approval)
  const authorisation = authorisationOf({ statement, approval, owners, since: owners && 'creation' })
  const coordinator = mintCoordinator(world, signedAt)
  const entropy = changes.entropy ?? sampleEntropy('43', signedAt - 5)
  const binding = encodeSignMessageBinding({
    scheme,
    keyId,
    publicKey,
    requestHash: asked,
    commitment,
    nonce,
    coordinatorReportHash: toHex(sha256(fromHex(coordinator.report))),
    entropyHash: entropyWitnessHash(entropy),
    policyHash: policyHash(policy),
    ownersHash: ownersHash(owners),
    authorisationHash: hashOf(authorisation),
    signedAt,
  })
  const born = mintBirth(world, { owner })
  const receipt = buildMessageReceipt({
    ...sample,
    issuedAt: new Date((signedAt + 1) * 1000).toISOString(),
    message: { scheme, requestHash: asked, commitment },
    entropy,
    signer: {
      ...sample.signer,
      birthCid: born.evidence.cid,
      signedAt,
      verifiedAt: signedAt + 1,
      quote: quoteOver(world, binding, runtimeEvents),
      collateralCid: world.collateralCid,
      rootFingerprint: fingerprintOf(world.tdxRoot),
    },
    coordinator,
    authorisation,
    trustAnchorsCid: trustAnchorsCid(anchorsOf(world)),
  })
  const evidence = { ...evidenceOf(receipt, world.collateralBytes), birth: born.evidence }
  return { receipt, opening: { version: 'perigee-opening/1', message, signature, salt }, evidence }
}
