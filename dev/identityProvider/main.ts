import { parseConfig } from './config.js'
import { startIdentityProvider } from './startIdentityProvider.js'

try {
  const config = parseConfig(process.env)
  const running = await startIdentityProvider({
    port: config.IDENTITY_PROVIDER_PORT,
    folder: config.IDENTITY_PROVIDER_DIR,
    issuer: config.IDENTITY_PROVIDER_ISSUER,
    redirectUris: config.IDENTITY_PROVIDER_REDIRECT_URIS,
  })
  console.log(`identity provider ready at ${running.issuer}`)
  const stop = () => void running.close().then(() => process.exit(0))
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
