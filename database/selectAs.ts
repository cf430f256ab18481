import type { DataSource, ObjectLiteral, SelectQueryBuilder } from 'typeorm'
import { PublicationEntity, type Publication } from './entities/Publication.js'

/** Selects expressions under names of their own, so that `getRawMany` gives flat rows with these names. */
export function selectAs<T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
  expressions: Record<string, string>,
): SelectQueryBuilder<T> {
  query.select([])
  for (const [name, expression] of Object.entries(expressions)) query.addSelect(expression, name)
  return query
}

/** How many rows there are of each value of a column. */
export async function countBy<T extends ObjectLiteral>(query: SelectQueryBuilder<T>, column: string) {
  const counts = selectAs(query, { value: column, count: 'count(*)' }).groupBy(column)
  const rows = await counts.getRawMany<{ value: string; count: number }>()
  return Object.fromEntries(rows.map(({ value, count }) => [value, count]))
}

/** Flat rows about publications: the address of the wallet, these columns, and expressions under names of their own. */
export function selectProofs(db: DataSource, columns: (keyof Publication)[], expressions: Record<string, string> = {}) {
  const query = db
    .createQueryBuilder(PublicationEntity, 'publication')
    .innerJoin('Wallet', 'wallet', 'wallet.id = publication.walletId')
  const named = Object.fromEntries(columns.map((name) => [name, `publication.${name}`]))
  return selectAs(query, { wallet: 'wallet.address', ...named, ...expressions })
}
