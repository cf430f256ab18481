import { DefaultNamingStrategy, type Table } from 'typeorm'

/** Columns in snake case, and constraints named as Postgres itself names them. */
export class PostgresNames extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName || snakeCase(propertyName)
  }

  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pkey`
  }

  override uniqueConstraintName(table: Table | string, columnNames: string[]): string {
    return `${this.getTableName(table)}_${columnNames.join('_')}_key`
  }

  override foreignKeyName(table: Table | string, columnNames: string[]): string {
    return `${this.getTableName(table)}_${columnNames.join('_')}_fkey`
  }
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
