import type { Pool } from 'pg'
import { DataSource, type EntityManager, type EntitySchema } from 'typeorm'

/**
 * One statement that Postgres plans once per connection and keeps: for what every signature does. It runs in a database
 * transaction of its own, so a statement of several parts (`WITH`) happens as a whole or not at all.
 */
export async function prepared<Row>(db: DataSource, name: string, text: string, values: unknown[]): Promise<Row[]> {
  const pool = (db.driver as unknown as { master: Pool }).master
  return (await pool.query({ name, text, values })).rows as Row[]
}

/** The same, or inside a database transaction that is under way. */
export function ask<Row>(db: DataSource | EntityManager, name: string, text: string, values: unknown[]) {
  return db instanceof DataSource ? prepared<Row>(db, name, text, values) : db.query<Row[]>(text, values)
}

/**
 * Rows of one table as our objects; `rest` follows `FROM <table> t`, and `name` names the statement. TypeORM's own
 * queries are built anew each time, which costs more than asking Postgres does.
 */
export async function findRows<T extends object>(
  db: DataSource | EntityManager,
  schema: EntitySchema<T>,
  name: string,
  rest: string,
  values: unknown[],
): Promise<T[]> {
  const text = `SELECT to_jsonb(t) AS row FROM ${schema.options.tableName} t ${rest}`
  type Row = { row: Record<string, unknown> }
  return (await ask<Row>(db, name, text, values)).map(({ row }) => fromRow(schema, row))
}

/** An object of ours as a row, for `jsonb_populate_record`. */
export function toRow<T extends object>(schema: EntitySchema<T>, value: T): string {
  const entries = columnsOf(schema).map(([property, { name }]) => [name, value[property as keyof T]])
  return JSON.stringify(Object.fromEntries(entries))
}

/** A row as `to_jsonb` gives it, as our object: times in the one form that we write them in. */
export function fromRow<T extends object>(schema: EntitySchema<T>, row: Record<string, unknown>): T {
  const entries = columnsOf(schema).map(([property, { name, type }]) => {
    const value = row[name ?? property] ?? null
    return [property, value !== null && type === 'timestamptz' ? new Date(value as string).toISOString() : value]
  })
  return Object.fromEntries(entries) as T
}

function columnsOf<T extends object>({ options }: EntitySchema<T>) {
  return Object.entries(options.columns) as [string, { name?: string; type?: unknown }][]
}
