import { queryOnce } from '../../dev/stack/components/postgres.js'

const nameOf = (url: string) => new URL(url).pathname.slice(1)
const serverOf = (url: string) => new URL('/postgres', url).href

/** Copies a database as a whole, at one moment, while programs are using it: they lose their connections for a moment. */
export async function backUp(url: string): Promise<{ url: string; drop(): Promise<void> }> {
  const [server, from, to] = [serverOf(url), nameOf(url), `${nameOf(url)}_backup`]
  await withoutConnections(server, from, () => queryOnce(server, `CREATE DATABASE ${to} TEMPLATE ${from}`))
  return {
    url: new URL(`/${to}`, url).href,
    drop: async () => void (await queryOnce(server, `DROP DATABASE IF EXISTS ${to} WITH (FORCE)`)),
  }
}

/** Puts the copy in the place of the database, which is lost. */
export async function restore(url: string, backup: { url: string }): Promise<void> {
  const [server, name] = [serverOf(url), nameOf(url)]
  await queryOnce(server, `DROP DATABASE ${name} WITH (FORCE)`)
  await queryOnce(server, `CREATE DATABASE ${name} TEMPLATE ${nameOf(backup.url)}`)
}

async function withoutConnections(server: string, name: string, work: () => Promise<unknown>): Promise<void> {
  await queryOnce(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  try {
    await queryOnce(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
    await work()
  } finally {
    await queryOnce(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
  }
}
