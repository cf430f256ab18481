import type { Hex } from '@perigee/core'
import type { Authorisation } from '@perigee/core/authorisation'
import type { EntropySample } from '@perigee/core/entropy'
import type { SigningPolicy } from '@perigee/core/policy'
import type { AttestationReceiptV1, BirthAuthorisation, CoordinatorPart } from '@perigee/core/receipt'
import { BundleEntity } from './Bundle.js'
import {
  flag,
  integer,
  json,
  nullable,
  of,
  primary,
  references,
  table,
  text,
  time,
  unique,
  type RowOf,
} from './columns.js'
import { PublicationEntity } from './Publication.js'

export interface ReceiptAnchors {
  /** Where the receipt format is described, and how to verify one. */
  spec: string
  instructions: string
  publication: { chainId: number; contract: Hex }
}

/** What a receipt says beyond the transaction, the message or the wallet, fixed when the signature or the key was made. */
export const AttestationEntity = table({
  name: 'Attestation',
  tableName: 'attestations',
  columns: {
    slug: primary(references(PublicationEntity, text)),
    platform: text,
    /** True when any hardware in it was simulated. */
    simulated: flag,
    quote: of<Hex>(text),
    /** What the platform measured since the machine started. */
    runtimeEvents: of<AttestationReceiptV1['signer']['runtimeEvents']>(json),
    nonce: of<Hex>(text),
    /** Of a signature. */
    policy: nullable(of<SigningPolicy>(json)),
    /** Of a birth: of the key as it was sealed first. Owners may change, and with them the seal. */
    sealedKeyHash: nullable(of<Hex>(text)),
    /** The enclave's clock when it signed, or made the key. */
    madeAt: integer,
    collateralCid: references(BundleEntity, text),
    trustAnchorsCid: references(BundleEntity, text),
    rootFingerprint: of<Hex>(text),
    verifiedAt: integer,
    tcbStatus: text,
    advisoryIds: of<string[]>(json),
    /** True only when the strict verification ran and accepted. */
    quoteVerified: flag,
    coordinator: of<CoordinatorPart>(json),
    /** Who asked, as the quote binds it. */
    authorisation: of<Authorisation | BirthAuthorisation>(json),
    entropy: of<EntropySample>(json),
    entropyHash: unique(of<Hex>(text)),
    /** Addresses the receipt will name. Kept with the record, because configuration may change before it is published. */
    anchors: of<ReceiptAnchors>(json),
    /** Fixed here, so that the same record always gives the same receipt bytes. */
    issuedAt: time,
  },
  checks: [{ name: 'attestations_kind_check', expression: '(policy IS NULL) <> (sealed_key_hash IS NULL)' }],
})

type Evidence = Omit<RowOf<typeof AttestationEntity>, 'policy' | 'sealedKeyHash' | 'authorisation'>
export type SignatureAttestation = Evidence & {
  policy: SigningPolicy
  sealedKeyHash: null
  authorisation: Authorisation
}
export type BirthAttestation = Evidence & { policy: null; sealedKeyHash: Hex; authorisation: BirthAuthorisation }
export type Attestation = SignatureAttestation | BirthAttestation
