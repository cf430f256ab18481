import { searchAttributeTypes } from '@perigee/core/workflow'
import { Connection } from '@temporalio/client'
import { randomBytes } from 'node:crypto'
import { queryOnce } from '../../dev/stack/components/postgres.js'
import { waitUntil } from '../../dev/stack/processes/waitUntil.js'
import { components } from './components.js'

/** Numbers of Temporal's IndexedValueType. */
const types = { Keyword: 2, Int: 3 } as const

export interface FreshDatabase {
  url: string
  /** Closes open connections and removes it. */
  drop(): Promise<void>
}

/** A new database with the current schema: a copy of the migrated one. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const pattern = new URL(components().databaseUrl)
  const name = `test_${randomBytes(8).toString('hex')}`
  const server = new URL('/postgres', pattern).href
  await queryOnce(server, `CREATE DATABASE ${name} TEMPLATE ${pattern.pathname.slice(1)}`)
  return {
    url: new URL(`/${name}`, pattern).href,
    drop: async () => void (await queryOnce(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  }
}

/** A new Temporal namespace with the search attributes. */
export async function freshNamespace(): Promise<string> {
  const namespace = `test-${randomBytes(8).toString('hex')}`
  const connection = await Connection.connect({ address: components().temporalAddress })
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: (24 * 60 * 60) as never },
    })
    const wanted = Object.entries(searchAttributeTypes).map(([name, type]) => [name, types[type]] as const)
    await waitUntil(
      'the new namespace',
      async () => {
        await connection.operatorService.addSearchAttributes({
          namespace,
          searchAttributes: Object.fromEntries(wanted),
        })
        return true
      },
      { timeoutMs: 30_000 },
    )
    await waitUntil(
      'its search attributes',
      async () => {
        const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
        return wanted.every(([name]) => name in (customAttributes ?? {}))
      },
      { timeoutMs: 30_000 },
    )
    return namespace
  } finally {
    await connection.close()
  }
}
