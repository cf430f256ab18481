// Brings the schema up to date and ends: a job that runs before a release. Programs do the same when they start, so a
// single machine needs no job; after this one they find nothing to do.
import { ConfigError, EnvReader, refuseWeakSecrets } from '@perigee/core/config'
import { openDatabase } from './index.js'

try {
  const env = new EnvReader(process.env)
  const url = env.url('DATABASE_URL', ['postgres:', 'postgresql:'])
  refuseWeakSecrets(env)
  env.finish()
  const database = await openDatabase({ url, poolSize: 2 })
  console.log('migrate: the schema is up to date')
  await database.destroy()
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : 'failed']
  for (const line of lines) console.error(`migrate: ${line}`)
  process.exit(1)
}
