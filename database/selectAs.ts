import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm'

/** Selects expressions under names of their own, so that `getRawMany` gives flat rows with these names. */
export function selectAs<T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
  expressions: Record<string, string>,
): SelectQueryBuilder<T> {
  query.select([])
  for (const [name, expression] of Object.entries(expressions)) query.addSelect(expression, name)
  return query
}
