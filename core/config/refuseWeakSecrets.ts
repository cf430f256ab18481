import type { EnvReader } from './EnvReader.js'

/** Variables that hold `id:secret,…`, or secrets alone. */
const lists = ['SESSION_SECRETS', 'TEMPORAL_CODEC_KEYS', 'PUBLISHER_PRIVATE_KEYS']

/** Production refuses secrets that are not random: sample values, repetitions, short database passwords. */
export function refuseWeakSecrets(env: EnvReader): void {
  if (env.text('NODE_ENV', 'development') !== 'production') return
  for (const name of lists) {
    const secrets = env.list(name, '').map((entry) => entry.slice(entry.indexOf(':') + 1))
    if (secrets.some(isRepetitive)) env.problem(`${name} holds a weak secret; generate one with: openssl rand -hex 32`)
  }
  const url = env.text('DATABASE_URL', '')
  const password = URL.canParse(url) ? new URL(url).password : ''
  // Without a password the server knows us by certificate or address.
  if (password !== '' && (password.length < 16 || isRepetitive(password))) {
    env.problem('DATABASE_URL holds a weak password; generate one with: openssl rand -hex 32')
  }
}

/** Of 16 random hex digits fewer than 6 are different once in 30,000 draws, and practically never of more. */
const isRepetitive = (text: string) => new Set(text).size < 6
