import { EnvReader, type Env } from '@perigee/core/config'

/** Throws a ConfigError that names every missing or wrong variable. */
export function parseConfig(variables: Env) {
  const env = new EnvReader(variables)
  const config = {
    port: env.integer('IDENTITY_PROVIDER_PORT', { min: 1, max: 65_535 }),
    /** Holds its keys and the client's secret. */
    folder: env.text('IDENTITY_PROVIDER_DIR'),
    issuer: env.url('IDENTITY_PROVIDER_ISSUER', ['http:', 'https:']),
    redirectUris: env.urls('IDENTITY_PROVIDER_REDIRECT_URIS'),
  }
  env.finish()
  return config
}
