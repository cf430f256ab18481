import { parseConfig } from './config.js'
import { startIdentityProvider } from './startIdentityProvider.js'

try {
  const running = await startIdentityProvider(parseConfig(process.env))
  console.log(`identity provider ready at ${running.issuer}`)
  const stop = () => void running.close().then(() => process.exit(0))
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
