// Brings the schema up to date and ends: a job that runs before a release. Programs do the same when they start, so a
// single machine needs no job; after this one they find nothing to do.
import { ConfigError, EnvReader, refuseWeakSecrets, type Env } from '@perigee/core/config'
import { openDatabase } from './index.js'

function parseConfig(variables: Env): { databaseUrl: string } {
  const env = new EnvReader(variables)
  const databaseUrl = env.url('DATABASE_URL', ['postgres:', 'postgresql:'])
  refuseWeakSecrets(env)
  env.finish()
  return { databaseUrl }
}

async function migrate(databaseUrl: string): Promise<void> {
  const database = await openDatabase({ url: databaseUrl, poolSize: 2 })
  try {
    console.log(`migrate: the schema is up to date`)
  } finally {
    await database.destroy()
  }
}

try {
  await migrate(parseConfig(process.env).databaseUrl)
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : 'failed']
  for (const line of lines) console.error(`migrate: ${line}`)
  process.exit(1)
}
