import { sha256 } from '@noble/hashes/sha2'
import { fromHex, toHex, type Hex } from '../../bytes/index.js'
import type { EntropySample } from '../../entropy/index.js'
import { ServiceError } from '../../errors/index.js'
import type { CoordinatorPart, ReceiptParts, SignerEvidence } from '../ReceiptParts.js'
import { isVendorRoot } from '../anchors/vendorRoots.js'

/** What every receipt is built from, beside what it is about. */
export interface PartsInput {
  /** When the record was made. Taken from the record, so that a rebuilt receipt has the same CID. */
  issuedAt: string
  coordinator: Omit<CoordinatorPart, 'kind' | 'reportHash'>
  entropy: EntropySample
  publication: { chainId: number; contract: Hex }
  trustAnchorsCid: string
  /** Address of `docs/receipt-v1.md` and of instructions to verify, where this service publishes them. */
  spec: string
  instructions: string
}

/** True when any part was not made by the vendor's hardware or a real source. */
export function isSimulated(
  parts: Pick<ReceiptParts, 'coordinator' | 'entropy'> & { signer: Pick<SignerEvidence, 'rootFingerprint'> },
): boolean {
  const { signer, coordinator, entropy } = parts
  return (
    !isVendorRoot('intel', signer.rootFingerprint) ||
    !isVendorRoot('amd', coordinator.rootFingerprint) ||
    entropy.provenance === 'simulated'
  )
}

/** The members that every receipt has. */
export function buildParts(input: PartsInput, signer: Pick<SignerEvidence, 'rootFingerprint'>): ReceiptParts {
  const coordinator = buildCoordinator(input.coordinator)
  const { entropy, publication } = input
  return {
    spec: input.spec,
    issuedAt: input.issuedAt,
    simulated: isSimulated({ signer, coordinator, entropy }),
    coordinator,
    entropy,
    verification: {
      instructions: input.instructions,
      trustAnchorsCid: input.trustAnchorsCid,
      publication: { chainId: publication.chainId, contract: lower(publication.contract) },
    },
  }
}

export function buildSigner(signer: Omit<SignerEvidence, 'kind'>): SignerEvidence {
  return {
    kind: 'tdx-enclave',
    platform: signer.platform,
    nonce: lower(signer.nonce),
    quote: lower(signer.quote),
    runtimeEvents: signer.runtimeEvents,
    collateralCid: signer.collateralCid,
    rootFingerprint: lower(signer.rootFingerprint),
    verifiedAt: signer.verifiedAt,
    tcbStatus: signer.tcbStatus,
    advisoryIds: [...signer.advisoryIds],
  }
}

function buildCoordinator(coordinator: PartsInput['coordinator']): CoordinatorPart {
  const { identity } = coordinator
  return {
    kind: 'sev-snp',
    report: lower(coordinator.report),
    reportHash: toHex(sha256(fromHex(coordinator.report))),
    vek: lower(coordinator.vek),
    intermediate: lower(coordinator.intermediate),
    rootFingerprint: lower(coordinator.rootFingerprint),
    identity: {
      service: identity.service,
      requestKey: lower(identity.requestKey),
      publishers: [...identity.publishers],
    },
    nonce: lower(coordinator.nonce),
    fetchedAt: coordinator.fetchedAt,
    expiresAt: coordinator.expiresAt,
  }
}

export function lower(hex: Hex): Hex {
  if (typeof hex !== 'string') throw new ServiceError('receipt_invalid', 'expected a hex string')
  return hex.toLowerCase() as Hex
}
