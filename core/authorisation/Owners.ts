import { z } from 'zod'
import { hexOf } from '../bytes/hexSchema.js'
import type { Hex } from '../bytes/index.js'
import { parseSchema, ServiceError } from '../errors/index.js'
import { isP256Key } from './p256.js'
import { hashOf, zero32 } from './Statement.js'

/** A passkey that may authorise. Neither its id nor its model is here: the record becomes public. */
export interface OwnerCredential {
  algorithm: 'ES256'
  /** Compressed P-256, 33 bytes. */
  publicKey: Hex
  rpId: string
  /** The pages on which it may be used. */
  origins: string[]
}

/** Who may authorise for a wallet. Public; the sealed key is bound to its hash. */
export interface OwnersRecord {
  version: 1
  sequence: number
  /** Hash of the record before; null for a wallet's first. */
  previous: Hex | null
  threshold: 1
  /** Public key of the recovery code, which may name new owners once. */
  recovery: { kind: 'code'; publicKey: Hex } | null
  /** Sorted by key. */
  credentials: OwnerCredential[]
}

/** How a wallet came to its owners. One that had none before can still be used through its old sealed key. */
export type OwnedSince = 'creation' | 'upgrade'

/** What the service remembers about a passkey so that its user can be asked for it. Private: never in a receipt. */
export interface KnownCredential {
  publicKey: Hex
  /** The credential id, base64url, for `allowCredentials`. */
  id: string
  /** The user's own name for the device. */
  label: string | null
  /** ISO 8601. */
  addedAt: string
}

/** Answer of `GET /wallet/owners`. */
export interface WalletOwners {
  address: Hex
  /** Null for a wallet without owners. */
  owners: OwnersRecord | null
  /** Zeros for a wallet without owners. */
  ownersHash: Hex
  since: OwnedSince | null
  credentials: KnownCredential[]
}

const p256Key = hexOf(33).refine((key) => isP256Key(key as Hex), 'a point of P-256')
const host = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'a host name')
const origin = z.string().max(300).refine(isOrigin, 'an origin: https, or http on localhost')

const credential = z
  .strictObject({
    algorithm: z.literal('ES256'),
    publicKey: p256Key,
    rpId: host,
    origins: z.array(origin).min(1).max(8),
  })
  .refine(({ rpId, origins }) => origins.every((one) => isUnder(one, rpId)), 'origins belong to the RP')

export const ownersSchema = z.strictObject({
  version: z.literal(1),
  sequence: z.int().nonnegative().max(1_000_000),
  previous: hexOf(32).nullable(),
  threshold: z.literal(1),
  recovery: z.strictObject({ kind: z.literal('code'), publicKey: p256Key }).nullable(),
  credentials: z
    .array(credential)
    .min(1)
    .max(8)
    .refine((list) => list.every((one, i) => i === 0 || (list[i - 1]?.publicKey ?? '') < one.publicKey), 'sorted by key, each once'), // prettier-ignore
})

/** Takes anything; returns the record or throws `owners_invalid`. */
export function parseOwners(input: unknown): OwnersRecord {
  return parseSchema(ownersSchema, input, 'owners_invalid', 'owners')
}

/** SHA-256 of the canonical record; zeros for a wallet without owners. */
export function ownersHash(owners: OwnersRecord | null): Hex {
  return owners === null ? zero32 : hashOf(owners)
}

/** Throws `owners_invalid` unless `next` follows `current` (null: no owners so far). */
export function checkSuccession(current: OwnersRecord | null, next: OwnersRecord): void {
  const sequence = current === null ? 0 : current.sequence + 1
  const previous = current === null ? null : ownersHash(current)
  if (next.sequence === sequence && next.previous === previous) return
  throw new ServiceError('owners_invalid', 'the record does not follow the current one', { sequence: next.sequence })
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return url.origin === text && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))
}

const isLoopback = (name: string) => name === 'localhost' || name.endsWith('.localhost')

/** False for what is no origin at all: a refinement also sees values that an earlier one refused. */
function isUnder(origin: unknown, rpId: string): boolean {
  if (typeof origin !== 'string' || !URL.canParse(origin)) return false
  const { hostname } = new URL(origin)
  return hostname === rpId || hostname.endsWith(`.${rpId}`)
}
