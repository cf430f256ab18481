import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { hosts } from './Plan.js'

/** Settings that the local stack made and that the deployment takes over as they are. */
const taken = [
  'CHAIN_CONFIRMATIONS',
  'CHAIN_ID',
  'CHAIN_IDS',
  'CONTRACT_ADDRESS',
  'ENCLAVE_CHAIN_IDS',
  'ENTROPY_MINIMUM',
  'ENTROPY_SOURCES',
  'IPFS_GATEWAY_URL',
  'MOCK_ATTESTATION',
  'OIDC_DEV_CLIENT_ID',
  'OIDC_DEV_CLIENT_SECRET',
  'OIDC_DEV_ISSUER',
  'OIDC_PROVIDERS',
  'OPERATORS',
  'PUBLIC_API_URL',
  'PUBLISHER_ADDRESSES',
  'PUBLISHER_PRIVATE_KEYS',
  'RELEASES_ADDRESS',
  'SATELLITE_PUBLIC_KEYS',
  'SESSION_SECRETS',
  'TEMPORAL_CODEC_KEYS',
  'TEMPORAL_NAMESPACE',
  'VITE_CHAIN_ID',
  'VITE_IDENTITY_PROVIDER',
  'VITE_RPC_URL',
  'WEB_ORIGINS',
]

/** What changes about the local stack's own settings when a deployment runs on it. */
export const stackChanges = {
  PUBLIC_API_URL: `https://${hosts.api}`,
  WEB_ORIGINS: `https://${hosts.app}`,
  OIDC_DEV_ISSUER: `https://${hosts.identity}`,
  IDENTITY_PROVIDER_ISSUER: `https://${hosts.identity}`,
  IDENTITY_PROVIDER_REDIRECT_URIS: [
    `https://${hosts.api}/auth/dev/callback`,
    `https://${hosts.operators}/sign-in/dev/callback`,
  ].join(','),
}

/** The file `.env` of a deployment on the local stack's servers. `env` are the stack's variables. */
export function deploymentOf(env: NodeJS.ProcessEnv, dir: string, frontCa: string): NodeJS.ProcessEnv {
  const { ENCLAVE_TLS_CERT = '', ENCLAVE_TLS_KEY = '', ENCLAVE_TLS_CLIENT_CA = '' } = env
  const { ENCLAVE_CLIENT_CERT = '', ENCLAVE_CLIENT_KEY = '', SIMULATION_DIR = '' } = env
  const secrets = join(dir, 'secrets')
  const simulated = readdirSync(SIMULATION_DIR).map((name) => join(SIMULATION_DIR, name))
  return {
    ...Object.fromEntries(taken.map((name) => [name, env[name]])),
    DATABASE_PASSWORD: new URL(env['DATABASE_URL'] ?? '').password,
    TEMPORAL_DATABASE_PASSWORD: 'not used: the local stack runs Temporal',
    PERIGEE_SIMULATED_DEPLOYMENT: 'true',
    ENCLAVE_CHANNEL_DIR: copyTo(join(secrets, 'enclave'), [ENCLAVE_TLS_CERT, ENCLAVE_TLS_KEY, ENCLAVE_TLS_CLIENT_CA]),
    WORKER_CHANNEL_DIR: copyTo(join(secrets, 'worker'), [
      ENCLAVE_CLIENT_CERT,
      ENCLAVE_CLIENT_KEY,
      ENCLAVE_TLS_CLIENT_CA,
    ]),
    SIMULATION_DIR: copyTo(join(secrets, 'simulation'), simulated),
    SATELLITE_URL: `http://${hosts.satellite}`,
    CHAIN_RPC_URLS: `http://${hosts.chain}`,
    CODEC_SERVER_URL: `https://${hosts.operators}`,
    FRONT_CA: frontCa,
    PATH: process.env['PATH'],
  }
}

/** Mounted files must be readable by the images' user, whatever user made them. */
function copyTo(folder: string, sources: string[]): string {
  mkdirSync(folder, { recursive: true })
  for (const source of sources) cpSync(source, join(folder, basename(source)), { recursive: true })
  execFileSync('chown', ['-R', '1000:1000', folder])
  return folder
}
