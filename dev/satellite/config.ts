import { EnvReader, type Env } from '@perigee/core/config'

export function parseConfig(env: Env) {
  const reader = new EnvReader(env)
  const config = {
    port: reader.integer('SATELLITE_PORT', { min: 0, max: 65_535 }),
    /** Holds the signing key and the counter. */
    dir: reader.text('SATELLITE_DIR'),
  }
  reader.finish()
  return config
}
