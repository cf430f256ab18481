import { EntitySchema, type EntitySchemaColumnOptions, type EntitySchemaOptions, type ValueTransformer } from 'typeorm'

/** A column, and the type that its values have in our code. */
export interface Column<T> extends EntitySchemaColumnOptions {
  /** Never set: it only carries the type. */
  readonly value?: T
}

type Row<Columns> = { [Name in keyof Columns]: Columns[Name] extends Column<infer T> ? T : never }
type Table = Pick<EntitySchemaOptions<unknown>, 'name' | 'tableName' | 'indices' | 'uniques' | 'checks'>

/** A table, whose rows have the types of its columns. */
export const table = <Columns extends Record<string, Column<unknown>>>(options: Table & { columns: Columns }) =>
  new EntitySchema<Row<Columns>>(options as EntitySchemaOptions<Row<Columns>>)

/** A row of this table. */
export type RowOf<T> = T extends EntitySchema<infer Row> ? Row : never

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

export const text: Column<string> = { type: 'text' }
export const uuid: Column<string> = { type: 'uuid' }
export const flag: Column<boolean> = { type: 'boolean' }
export const json: Column<unknown> = { type: 'jsonb' }
export const bytes: Column<Buffer> = { type: 'bytea' }
export const smallInteger: Column<number> = { type: 'integer' }
/** Seconds, blocks, chain ids, nonces: safe integers, which the connection reads as numbers (see dataSource.ts). */
export const integer: Column<number> = { type: 'bigint' }
export const sequence: Column<bigint> = { type: 'numeric', precision: 20, scale: 0, transformer: bigInteger }
export const date: Column<Date> = { type: 'timestamptz' }
/** A UTC day, as `2026-11-17`. */
export const day: Column<string> = { type: 'date' }
/** An ISO 8601 text. */
export const time: Column<string> = { type: 'timestamptz', transformer: isoText }

/** A column whose values have a narrower type than Postgres knows: `of<Hex>(text)`. */
export const of = <T>(column: Column<unknown>): Column<T> => column as Column<T>
export const primary = <T>(column: Column<T>): Column<T> => ({ ...column, primary: true })
export const unique = <T>(column: Column<T>): Column<T> => ({ ...column, unique: true })
export const nullable = <T>(column: Column<T>): Column<T | null> => ({ ...column, nullable: true })
/** A random id that the database gives. */
export const ownId: Column<string> = { type: 'uuid', primary: true, generated: 'uuid' }
/** Set by the database when the row is inserted without it. */
export const defaultNow = <T>(column: Column<T>): Column<T> => ({ ...column, default: () => 'now()' })
/** The primary key of that table. */
export const references = <T>(target: EntitySchema, column: Column<T>): Column<T> => ({
  ...column,
  foreignKey: { target },
})
/** A user's id; the row goes with the user. */
export const ofUser = (target: EntitySchema): Column<string> => ({
  ...uuid,
  foreignKey: { target, onDelete: 'CASCADE' },
})
