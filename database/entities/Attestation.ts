import { EntitySchema } from 'typeorm'
import type { Hex, UnixSeconds } from '@perigee/core'
import type { Authorisation } from '@perigee/core/authorisation'
import type { EntropySample } from '@perigee/core/entropy'
import type { SigningPolicy } from '@perigee/core/policy'
import type { AttestationReceiptV1, BirthAuthorisation, CoordinatorPart } from '@perigee/core/receipt'
import { BundleEntity } from './Bundle.js'
import { flag, integer, json, nullable, primary, text, time, unique } from './columns.js'
import { PublicationEntity, type Publication } from './Publication.js'

export interface ReceiptAnchors {
  /** Where the receipt format is described, and how to verify one. */
  spec: string
  instructions: string
  publication: { chainId: number; contract: Hex }
}

interface Evidence {
  slug: string
  platform: string
  /** True when any hardware in it was simulated. */
  simulated: boolean
  quote: Hex
  /** What the platform measured since the machine started. */
  runtimeEvents: AttestationReceiptV1['signer']['runtimeEvents']
  nonce: Hex
  /** The enclave's clock when it signed, or made the key. */
  madeAt: UnixSeconds
  collateralCid: string
  trustAnchorsCid: string
  rootFingerprint: Hex
  verifiedAt: UnixSeconds
  tcbStatus: string
  advisoryIds: string[]
  /** True only when the strict verification ran and accepted. */
  quoteVerified: boolean
  coordinator: CoordinatorPart
  entropy: EntropySample
  entropyHash: Hex
  /** Addresses the receipt will name. Kept with the record, because configuration may change before it is published. */
  anchors: ReceiptAnchors
  /** Fixed here, so that the same record always gives the same receipt bytes. */
  issuedAt: string
}

/** Of a signature: what its receipt says beyond the transaction, fixed when the signature was made. */
export interface SignatureAttestation extends Evidence {
  policy: SigningPolicy
  sealedKeyHash: null
  /** Who asked, as the quote binds it. */
  authorisation: Authorisation
}

/** Of a wallet's birth: what its receipt says beyond the wallet itself. */
export interface BirthAttestation extends Evidence {
  policy: null
  /** Of the key as it was sealed first: owners may change, and with them the seal. */
  sealedKeyHash: Hex
  authorisation: BirthAuthorisation
}

/** The attestation record of a proof. */
export type Attestation = SignatureAttestation | BirthAttestation

export const AttestationEntity = new EntitySchema<Attestation & { publication: Publication }>({
  name: 'Attestation',
  tableName: 'attestations',
  columns: {
    slug: primary(text),
    platform: text,
    simulated: flag,
    quote: text,
    runtimeEvents: json,
    nonce: text,
    policy: nullable(json),
    sealedKeyHash: nullable(text),
    madeAt: integer,
    collateralCid: { ...text, foreignKey: { target: BundleEntity } },
    trustAnchorsCid: { ...text, foreignKey: { target: BundleEntity } },
    rootFingerprint: text,
    verifiedAt: integer,
    tcbStatus: text,
    advisoryIds: json,
    quoteVerified: flag,
    coordinator: json,
    authorisation: json,
    entropy: json,
    entropyHash: unique(text),
    anchors: json,
    issuedAt: time,
  },
  relations: {
    publication: {
      type: 'many-to-one',
      target: PublicationEntity,
      joinColumn: { name: 'slug', referencedColumnName: 'slug' },
    },
  },
  checks: [{ name: 'attestations_kind_check', expression: '(policy IS NULL) <> (sealed_key_hash IS NULL)' }],
})
