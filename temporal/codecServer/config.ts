import {
  EnvReader,
  isLoopback,
  parseIdentityProviders,
  parseOperators,
  parseOrigin,
  refuseWeakSecrets,
  type Env,
} from '@perigee/core/config'
import { parseCodecKeys } from '../codec/codecKeys.js'

/** Throws a ConfigError that names every missing or wrong variable. */
export function parseConfig(variables: Env) {
  const env = new EnvReader(variables)
  const production = env.text('NODE_ENV', 'development') === 'production'
  const development = env.flag('CODEC_SERVER_DEVELOPMENT')
  const host = env.text('CODEC_SERVER_HOST', '127.0.0.1')
  if (development && production)
    env.problem('CODEC_SERVER_DEVELOPMENT is refused in production: it asks nobody to sign in')
  if (development && !isLoopback(`http://${host}`)) {
    env.problem('CODEC_SERVER_DEVELOPMENT needs a loopback address as CODEC_SERVER_HOST: it asks nobody to sign in')
  }
  const config = {
    host,
    port: env.integer('CODEC_SERVER_PORT', { min: 0, max: 65_535 }),
    /** Origins of the Temporal UI: the only pages that may ask. */
    uiOrigins: env
      .list('CODEC_SERVER_UI_ORIGINS')
      .map((origin) => parseOrigin(env, 'CODEC_SERVER_UI_ORIGINS', origin, production)),
    keys: parseCodecKeys(env.text('TEMPORAL_CODEC_KEYS'), (problem) => env.problem(problem)),
    /** Null in development, where every program on this machine may decode. */
    signIn: development ? null : parseSignIn(env, production),
  }
  refuseWeakSecrets(env)
  env.finish()
  return config
}

export type SignInConfig = ReturnType<typeof parseSignIn>

function parseSignIn(env: EnvReader, production: boolean) {
  const providers = parseIdentityProviders(env, production)
  const operators = parseOperators(env, providers)
  if (operators.length === 0) env.problem('OPERATORS is empty: nobody could sign in')
  return {
    /** Where browsers reach this server. */
    publicUrl: parseOrigin(env, 'CODEC_SERVER_URL', env.text('CODEC_SERVER_URL'), production),
    providers,
    operators,
    sessionSeconds: env.integer('CODEC_SERVER_SESSION_SECONDS', { min: 60, max: 12 * 3600 }, 4 * 3600),
    /** The Temporal UI that operators get under `/ui`; null for none. It must serve that path. */
    uiUpstream: env.url('CODEC_SERVER_UI_UPSTREAM', ['http:'], '') || null,
  }
}
