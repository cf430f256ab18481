import { z } from 'zod'
import { fromHex, parseStrictJson, toHex } from '../../bytes/index.js'
import { parseSchema } from '../../errors/index.js'

const maxBytes = 1024 * 1024

const text = z
  .string()
  .max(512 * 1024)
  .refine((value) => value.isWellFormed(), 'well-formed text')
const hex = z
  .string()
  .max(2 * maxBytes)
  .regex(/^(?:0x)?(?:[0-9a-fA-F]{2})*$/, 'hex')
/** Bytes as hex digits (with or without `0x`) or as an array of numbers: collateral files come in both forms. */
const bytes = z
  .union([hex, z.array(z.int().min(0).max(255)).max(maxBytes)])
  .transform((value) => (typeof value === 'string' ? fromHex(`0x${value.replace(/^0x/, '')}`) : Uint8Array.from(value)))

const required = z.object({
  pck_crl_issuer_chain: text,
  root_ca_crl: bytes,
  pck_crl: bytes,
  tcb_info_issuer_chain: text,
  /** The exact text Intel signed, like that of `qe_identity`. */
  tcb_info: text,
  tcb_info_signature: bytes,
  qe_identity_issuer_chain: text,
  qe_identity: text,
  qe_identity_signature: bytes,
})
/** Form of collateral; `docs/collateral-v1.schema.json` is this. */
export const collateralSchema = required.extend({
  /** Never preferred over the chain inside the quote; see `verifyQuote`. */
  pck_certificate_chain: text.nullish(),
})
/** What Intel publishes about a platform, in the JSON shape `@phala/dcap-qvl` and PCCS clients use. */
export type QuoteCollateral = z.input<typeof collateralSchema>

/** The members that all collateral has. */
export const collateralMembers = required.keyof().options
/** Collateral with bytes as bytes. */
export type CollateralParts = z.output<typeof collateralSchema>

/** Reads collateral from a JSON text (members named twice refused) or a value. Throws `parse_failed`. Verifies nothing. */
export function parseQuoteCollateral(value: unknown): QuoteCollateral {
  const json = typeof value === 'string' ? parseStrictJson(value, { maxLength: 8 * maxBytes }) : value
  const { pck_certificate_chain: chain, ...parts } = readCollateral(json)
  const plain = (bytes: Uint8Array) => toHex(bytes).slice(2)
  return {
    ...parts,
    root_ca_crl: plain(parts.root_ca_crl),
    pck_crl: plain(parts.pck_crl),
    tcb_info_signature: plain(parts.tcb_info_signature),
    qe_identity_signature: plain(parts.qe_identity_signature),
    ...(typeof chain === 'string' && { pck_certificate_chain: chain }),
  }
}

export function readCollateral(value: unknown): CollateralParts {
  return parseSchema(collateralSchema, value, 'parse_failed', 'collateral')
}
