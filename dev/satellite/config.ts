import { EnvReader, type Env } from '@perigee/core/config'

export interface SatelliteConfig {
  port: number
  /** Holds the signing key and the counter. */
  dir: string
}

export function parseConfig(env: Env): SatelliteConfig {
  const reader = new EnvReader(env)
  const config = { port: reader.integer('SATELLITE_PORT', { min: 0, max: 65_535 }), dir: reader.text('SATELLITE_DIR') }
  reader.finish()
  return config
}
