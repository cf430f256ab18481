import { sha256 } from '@noble/hashes/sha2'
import { authorisationOf, hashOf, ownersHash, signingIntent, zero32 } from '../../authorisation/index.js'
import { encodeSignMessageBinding, reportData } from '../../binding/index.js'
import { cidOf, fromHex, toHex, type Hex } from '../../bytes/index.js'
import { entropyWitnessHash, type EntropySample } from '../../entropy/index.js'
import { replayRtmr3 } from '../../measurements/index.js'
import {
  messageCommitment,
  messageKinds,
  parseMessage,
  requestHash,
  type Message,
  type Opening,
} from '../../message/index.js'
import { policyHash } from '../../policy/index.js'
import { mintQuote } from '../../simulation/index.js'
import { addressOfPublicKey } from '../addressOfPublicKey.js'
import type { MessageReceiptV1 } from '../AnyReceipt.js'
import { buildMessageReceipt } from '../buildReceipt.js'
import { receiptBytes } from '../buildReceipt.js'
import { fingerprintOf, trustAnchorsCid } from '../anchors/TrustAnchors.js'
import { eventOf } from './eventOf.js'
import { mintBirth, type MintedBirth, type WholeEvidence } from './mintBirth.js'
import { mintCoordinator } from './mintCoordinator.js'
import { signStatement, type SampleOwner } from './sampleOwner.js'
import { sampleReceiptInput, signSampleDigest } from './sampleReceiptInput.js'
import { releasesOf, simulatedList } from './simulatedReleases.js'
import { anchorsOf, sampleEntropy, type SimulatedWorld } from './simulatedWorld.js'

export interface MintedMessage {
  receipt: MessageReceiptV1
  opening: Opening
  /** Everything a verifier needs, all of it good, without the opening. */
  evidence: WholeEvidence & {
    birth: MintedBirth['evidence']
  }
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
  const statement = signStatement({
    ...sample.authorisation.statement,
    kind: `sign-${kind}`,
    address,
    digest: asked,
    chainId: 0,
    issuedAt: signedAt - 1,
    expiresAt: signedAt + 14,
    authorisationHash: approval === null ? zero32 : hashOf(approval),
  })
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
  const quote = mintQuote(
    { reportData: fromHex(reportData(binding)), rtmr3: replayRtmr3(runtimeEvents) },
    world.quoteKeys,
  )
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
      quote: toHex(quote),
      collateralCid: world.collateralCid,
      rootFingerprint: fingerprintOf(world.tdxRoot),
    },
    coordinator,
    authorisation,
    trustAnchorsCid: trustAnchorsCid(anchorsOf(world)),
  })
  const bytes = receiptBytes(receipt)
  const cid = cidOf(bytes)
  return {
    receipt,
    opening: { version: 'perigee-opening/1', message, signature, salt },
    evidence: {
      receipt: bytes,
      cid,
      collateral: world.collateralBytes,
      events: [eventOf(receipt, cid)],
      releases: releasesOf(simulatedList()),
      birth: born.evidence,
    },
  }
}
