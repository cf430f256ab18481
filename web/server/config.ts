import { EnvReader, type Env } from '@perigee/core/config'
import { readWebConfig, type WebConfig } from '../config/WebConfig.js'

export interface WebServerConfig {
  port: number
  /** The static build. */
  root: string
  /** Served as `/trust-anchors.json`, so that visitors can verify; null offers none. */
  trustAnchorsFile: string | null
  /** Where this server itself reaches the service, for badges. */
  apiUrl: string
  web: WebConfig
}

/** Reads the server's configuration. Throws a ConfigError naming every variable that is wrong. */
export function parseConfig(variables: Env): WebServerConfig {
  const env = new EnvReader(variables)
  const web = readWebConfig(env)
  const config: WebServerConfig = {
    port: env.integer('WEB_PORT', { min: 0, max: 65_535 }, 5173),
    root: env.text('WEB_ROOT', 'web/dist'),
    trustAnchorsFile: env.text('VITE_TRUST_ANCHORS_FILE', '') || null,
    apiUrl: env.url('WEB_API_URL', ['http:', 'https:'], web.apiBaseUrl).replace(/\/+$/, ''),
    web,
  }
  env.finish()
  return config
}
