import type { EntitySchemaColumnOptions, ValueTransformer } from 'typeorm'

/** ISO 8601 text in our types, `timestamptz` in the table. */
const isoText: ValueTransformer = {
  to: (value: unknown) => value,
  from: (value: Date | null) => value?.toISOString() ?? null,
}

/** Sequence numbers may exceed 2^53. */
const bigInteger: ValueTransformer = {
  to: (value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
  from: (value: string | null) => (value === null ? null : BigInt(value)),
}

type Column = EntitySchemaColumnOptions

export const text: Column = { type: 'text' }
export const uuid: Column = { type: 'uuid' }
export const flag: Column = { type: 'boolean' }
export const json: Column = { type: 'jsonb' }
export const bytes: Column = { type: 'bytea' }
export const smallInteger: Column = { type: 'integer' }
/** Seconds, blocks, chain ids, nonces: safe integers, which the connection reads as numbers (see dataSource.ts). */
export const integer: Column = { type: 'bigint' }
export const sequence: Column = { type: 'numeric', precision: 20, scale: 0, transformer: bigInteger }
/** A `Date`. */
export const date: Column = { type: 'timestamptz' }
/** An ISO 8601 text. */
export const time: Column = { type: 'timestamptz', transformer: isoText }

export const primary = (column: Column): Column => ({ ...column, primary: true })
export const unique = (column: Column): Column => ({ ...column, unique: true })
export const nullable = (column: Column): Column => ({ ...column, nullable: true })
/** Set by the database when the row is inserted without it. */
export const defaultNow = (column: Column): Column => ({ ...column, default: () => 'now()' })
