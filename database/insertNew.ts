import type { DataSource, EntityManager, EntitySchema, ObjectLiteral, QueryDeepPartialEntity } from 'typeorm'

/** Inserts the rows that conflict with no existing one (`ON CONFLICT DO NOTHING`). Returns how many it inserted. */
export async function insertNew<T extends ObjectLiteral>(
  db: DataSource | EntityManager,
  schema: EntitySchema<T>,
  rows: QueryDeepPartialEntity<T> | QueryDeepPartialEntity<T>[],
): Promise<number> {
  const insert = db.createQueryBuilder().insert().into(schema).values(rows).orIgnore().updateEntity(false)
  const { raw } = (await insert.returning('1').execute()) as { raw: unknown[] }
  return raw.length
}
