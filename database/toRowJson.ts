import { DataSource, type EntityManager, type EntitySchema, type ObjectLiteral } from 'typeorm'

/** An entity as JSON with the names of its columns, for `jsonb_populate_record`. */
export function toRowJson<T extends ObjectLiteral>(
  db: DataSource | EntityManager,
  schema: EntitySchema<T>,
  entity: Partial<T>,
): string {
  const { columns } = (db instanceof DataSource ? db : db.dataSource).getMetadata(schema)
  return JSON.stringify(
    Object.fromEntries(columns.map((column) => [column.databaseName, column.getEntityValue(entity)])),
  )
}
