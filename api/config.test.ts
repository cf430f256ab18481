import { expect, test } from 'vitest'
import type { ConfigError, Env } from '@perigee/core/config'
import { parseConfig } from './config.js'

/** The API's own required variables; the coordinator's and Temporal's have their own tests. */
const good: Env = {
  PUBLIC_API_URL: 'http://localhost:8080',
  DATABASE_URL: 'postgres://localhost/perigee',
  WEB_ORIGINS: 'http://localhost:5173',
  SESSION_SECRETS: '1:an-old-secret-of-more-than-32-letters,2:a-new-secret-of-more-than-32-letters',
  COOKIE_SAMESITE: 'Lax',
  OIDC_PROVIDERS: 'dev,google',
  OIDC_DEV_ISSUER: 'http://localhost:9080',
  OIDC_DEV_CLIENT_ID: 'perigee',
  OIDC_DEV_CLIENT_SECRET: 's3cret-value',
  OIDC_GOOGLE_CLIENT_ID: 'google-client',
  OIDC_GOOGLE_CLIENT_SECRET: 's3cret-value',
  IPFS_GATEWAY_URL: 'http://localhost:8081',
}

/** Names of the variables reported as wrong, without those of the coordinator and Temporal. */
function complaints(change: Env): string[] {
  try {
    parseConfig({ ...good, ...change })
  } catch (error) {
    const others = /^(?:TEMPORAL|MEASUREMENTS|ENCLAVE|PUBLISHER|MOCK|SIMULATION)/
    const problems = (error as ConfigError).problems.filter((line) => !others.test(line))
    expect(problems.join(' ')).not.toContain('s3cret-value')
    return [...new Set(problems.map((line) => /^\w+/.exec(line)?.[0] ?? line))]
  }
  return []
}

test('names every missing variable at once', () => {
  const nothing = Object.fromEntries(Object.keys(good).map((name) => [name, undefined]))
  expect(complaints(nothing)).toEqual([
    'PUBLIC_API_URL',
    'OIDC_PROVIDERS',
    'DATABASE_URL',
    'WEB_ORIGINS',
    'SESSION_SECRETS',
    'IPFS_GATEWAY_URL',
  ])
})

test('finds nothing wrong with a good configuration', () => {
  expect(complaints({})).toEqual([])
  expect(complaints({ COOKIE_SAMESITE: undefined })).toEqual([]) // None; browsers take Secure cookies from localhost
})

test.each<[Env, string]>([
  [{ PUBLIC_API_URL: 'http://localhost:8080/api' }, 'PUBLIC_API_URL'],
  [{ PUBLIC_API_URL: 'localhost:8080' }, 'PUBLIC_API_URL'],
  [{ PUBLIC_API_URL: 'http://api.example.org', COOKIE_SAMESITE: 'None' }, 'COOKIE_SAMESITE'],
  [{ WEB_ORIGINS: '*' }, 'WEB_ORIGINS'],
  [{ WEB_ORIGINS: 'http://localhost:5173,null' }, 'WEB_ORIGINS'],
  [{ WEB_ORIGINS: 'http://localhost:5173/app' }, 'WEB_ORIGINS'],
  [{ COOKIE_SAMESITE: 'Strict' }, 'COOKIE_SAMESITE'],
  [{ SESSION_SECRETS: 'a-secret-of-more-than-32-letters-without-number' }, 'SESSION_SECRETS'],
  [{ SESSION_SECRETS: '1:short' }, 'SESSION_SECRETS'],
  [{ SESSION_SECRETS: `1:${'a'.repeat(32)},1:${'b'.repeat(32)}` }, 'SESSION_SECRETS'],
  [
    { OIDC_PROVIDERS: 'me', OIDC_ME_ISSUER: 'https://x.example', OIDC_ME_CLIENT_ID: 'x', OIDC_ME_CLIENT_SECRET: 'x' },
    'OIDC_PROVIDERS',
  ],
  [{ OIDC_DEV_ISSUER: 'http://idp.example.org' }, 'OIDC_DEV_ISSUER'],
  [{ OIDC_DEV_ISSUER: undefined }, 'OIDC_DEV_ISSUER'],
  [{ OIDC_GOOGLE_CLIENT_SECRET: '' }, 'OIDC_GOOGLE_CLIENT_SECRET'],
  [{ CHAIN_IDS: '1,0x2' }, 'CHAIN_IDS'],
  [{ API_PORT: '70000' }, 'API_PORT'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  [{ TRUSTED_PROXIES: '-1' }, 'TRUSTED_PROXIES'],
  [{ SESSION_IDLE_SECONDS: 'x' }, 'SESSION_IDLE_SECONDS'],
  [{ API_METRICS_ADDRESS: '9465' }, 'API_METRICS_ADDRESS'],
  [{ OPERATORS: 'operator@example.test' }, 'OPERATORS'],
  [{ OPERATORS: 'github:someone' }, 'OPERATORS'],
])('refuses %j', (change, name) => {
  expect(complaints(change)).toEqual([name])
})

test('production speaks https only', () => {
  expect(complaints({ NODE_ENV: 'production' })).toEqual(['PUBLIC_API_URL', 'OIDC_DEV_ISSUER', 'WEB_ORIGINS'])
})
