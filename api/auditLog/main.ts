import { ConfigError, EnvReader } from '@perigee/core/config'
import { createDataSource, verifyAuditLog } from '../../database/index.js'

/** `npm run audit-log`: checks the chain of the audit log; exit code 1 when anything was tampered with. */
try {
  const env = new EnvReader(process.env)
  const url = env.text('DATABASE_URL')
  env.finish()
  const database = await createDataSource({ url, poolSize: 1 }).initialize()
  const { events, head, faults } = await verifyAuditLog(database)
  await database.destroy()
  for (const { sequence, fault } of faults) console.error(`FAIL  event ${sequence}: ${fault}`)
  console.log(`${faults.length === 0 ? 'PASS' : 'FAIL'}  ${events} events, head ${head}`)
  process.exit(faults.length === 0 ? 0 : 1)
} catch (error) {
  console.error(error instanceof ConfigError ? error.problems.join('\n') : 'the database cannot be read')
  process.exit(2)
}
