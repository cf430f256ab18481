import { Raw, type FindOperator } from 'typeorm'

/** A condition on a time, by the database's clock. */
export function olderThan(seconds: number): FindOperator<string> {
  return Raw((column) => `${column} < now() - make_interval(secs => :seconds)`, { seconds }) as FindOperator<string>
}
