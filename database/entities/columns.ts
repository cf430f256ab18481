import type { EntitySchemaColumnOptions } from 'typeorm'

/** Postgres gives bigint as text; every one we keep (seconds, blocks, chain ids, nonces) is a safe integer. */
const safeInteger = {
  to: (value: number | null | undefined) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
}

/** ISO 8601 text in our types, `timestamptz` in the table: no `Date` crosses a layer. */
const isoTime = {
  to: (value: string | null | undefined) => value,
  from: (value: Date | null) => (value === null ? null : value.toISOString()),
}

type Options = Partial<EntitySchemaColumnOptions>

export const text = (name: string, options: Options = {}): EntitySchemaColumnOptions => ({
  type: 'text',
  name,
  ...options,
})
export const uuid = (name: string, options: Options = {}): EntitySchemaColumnOptions => ({
  type: 'uuid',
  name,
  ...options,
})
export const integer = (name: string, options: Options = {}): EntitySchemaColumnOptions => ({
  type: 'bigint',
  name,
  transformer: safeInteger,
  ...options,
})
export const time = (name: string, options: Options = {}): EntitySchemaColumnOptions => ({
  type: 'timestamptz',
  name,
  transformer: isoTime,
  ...options,
})
export const json = (name: string, options: Options = {}): EntitySchemaColumnOptions => ({
  type: 'jsonb',
  name,
  ...options,
})
export const flag = (name: string, options: Options = {}): EntitySchemaColumnOptions => ({
  type: 'boolean',
  name,
  ...options,
})
export const bytes = (name: string, options: Options = {}): EntitySchemaColumnOptions => ({
  type: 'bytea',
  name,
  ...options,
})
