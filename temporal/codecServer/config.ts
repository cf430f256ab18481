import { EnvReader, type Env } from '@perigee/core/config'
import { parseCodecKeys, type CodecKey } from '../codec/codecKeys.js'

export interface CodecServerConfig {
  port: number
  /** Origin of the Temporal UI: the only page that may ask. */
  uiOrigin: string
  /** Whoever has it can read every payload. */
  token: string
  keys: CodecKey[]
}

/** Throws a ConfigError that names every missing or wrong variable. */
export function parseConfig(variables: Env): CodecServerConfig {
  const env = new EnvReader(variables)
  const config = {
    port: env.integer('CODEC_SERVER_PORT', { min: 0, max: 65_535 }),
    uiOrigin: env.url('CODEC_SERVER_UI_ORIGIN', ['http:', 'https:']).replace(/\/$/, ''),
    token: env.text('CODEC_SERVER_TOKEN'),
    keys: parseCodecKeys(env.text('TEMPORAL_CODEC_KEYS'), (problem) => env.problem(problem)),
  }
  if (config.token && config.token.length < 24) env.problem('CODEC_SERVER_TOKEN must have at least 24 characters')
  env.finish()
  return config
}
