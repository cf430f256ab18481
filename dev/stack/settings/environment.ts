import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { privateKeyToAddress } from 'viem/accounts'
import { identityProviderDir, satelliteDir, simulationDir, type Identities } from './makeIdentities.js'
import type { Ports } from './ports.js'
import type { Secrets } from './secrets.js'
import type { localContractAddresses } from '../components/chain/localContracts.js'
import { localChainId } from '../components/names.js'
import type { ServerAddresses } from '../servers.js'
import { accessVariables } from '../stackTemporal.js'
import { subjectOf } from '../../identityProvider/account.js'

type Contracts = ReturnType<typeof localContractAddresses>

export interface EnvironmentInput extends Identities, Contracts {
  dir: string
  /** What the person set, in the shell or in `.env`. */
  env: NodeJS.ProcessEnv
  ports: Ports
  servers: ServerAddresses
  secrets: Secrets
}

/** Of `examples/react`, `next` and `wagmi`, which run beside the stack. */
const exampleOrigins = [5174, 5175, 5176].map((port) => `http://localhost:${port}`)

/** Shares that stop nobody: tests, benchmarks and the soak sign more than a person does. */
export const sharesFile = fileURLToPath(new URL('./shares.json', import.meta.url))

/** Where a browser finds the API and the web app. */
export function publicUrls(ports: Ports): { apiUrl: string; webUrl: string } {
  return { apiUrl: `http://localhost:${ports.api}`, webUrl: `http://localhost:${ports.web}` }
}

/**
 * The variables of every program. First what a person may change, then what they set, then what only the stack can
 * know: its own addresses, keys and files.
 */
export function programEnvironment(input: EnvironmentInput): NodeJS.ProcessEnv {
  const { dir, env, ports, servers, secrets, channel } = input
  const { apiUrl, webUrl } = publicUrls(ports)
  const issuer = `http://localhost:${ports.identityProvider}`
  const changeable = {
    LOG_LEVEL: 'info',
    COOKIE_SAMESITE: 'Lax',
    OIDC_PROVIDERS: 'dev',
    OPERATORS: `dev:${subjectOf('operator@example.test')}`,
    CHAIN_IDS: `${localChainId},11155111,84532`,
    ENCLAVE_CHAIN_IDS: `${localChainId},11155111,84532`,
    ENTROPY_SOURCES: 'simulated',
    ENTROPY_MINIMUM: 'simulated',
    IPFS_REQUIRED_PINS: '1',
    CHAIN_CONFIRMATIONS: '1',
    SHARES_FILE: sharesFile,
    VITE_IDENTITY_PROVIDER: 'dev',
  }
  const own = {
    NODE_ENV: 'development',
    MOCK_ATTESTATION: 'true',
    SIMULATION_DIR: simulationDir(dir),
    DATABASE_URL: servers.databaseUrl,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    ...Object.fromEntries(accessVariables.map((name) => [name, servers.temporalAccess[name]])),
    TEMPORAL_NAMESPACE: servers.namespace,
    TEMPORAL_CODEC_KEYS: `local:${secrets.codecKey}`,
    TEMPORAL_UI_URL: servers.temporalUiUrl,
    CODEC_SERVER_DEVELOPMENT: 'true',
    CODEC_SERVER_PORT: String(ports.codec),
    CODEC_SERVER_UI_ORIGINS: [servers.temporalUiUrl, `http://127.0.0.1:${ports.temporalUi}`].filter(Boolean).join(),
    API_PORT: String(ports.api),
    PUBLIC_API_URL: apiUrl,
    WEB_ORIGINS: [webUrl, `http://127.0.0.1:${ports.web}`, ...exampleOrigins].join(','),
    SESSION_SECRETS: `1:${secrets.sessionSecret}`,
    OIDC_DEV_ISSUER: issuer,
    OIDC_DEV_CLIENT_ID: input.oidcClient.id,
    OIDC_DEV_CLIENT_SECRET: input.oidcClient.secret,
    IDENTITY_PROVIDER_PORT: String(ports.identityProvider),
    IDENTITY_PROVIDER_DIR: identityProviderDir(dir),
    IDENTITY_PROVIDER_ISSUER: issuer,
    IDENTITY_PROVIDER_REDIRECT_URIS: `${apiUrl}/auth/dev/callback`,
    SATELLITE_PORT: String(ports.satellite),
    SATELLITE_DIR: satelliteDir(dir),
    SATELLITE_URL: `http://127.0.0.1:${ports.satellite}`,
    SATELLITE_PUBLIC_KEYS: input.satelliteKeys,
    ENCLAVE_PORT: String(ports.enclave),
    ENCLAVE_TLS_CERT: channel.serverCert,
    ENCLAVE_TLS_KEY: channel.serverKey,
    ENCLAVE_TLS_CLIENT_CA: channel.ca,
    ENCLAVE_URL: `https://127.0.0.1:${ports.enclave}`,
    ENCLAVE_CLIENT_CERT: channel.clientCert,
    ENCLAVE_CLIENT_KEY: channel.clientKey,
    ENCLAVE_CLIENT_CA: channel.ca,
    IPFS_API_URLS: servers.ipfsApiUrl,
    IPFS_GATEWAY_URL: servers.ipfsGatewayUrl,
    CHAIN_ID: String(servers.chainId),
    CHAIN_RPC_URLS: servers.rpcUrl,
    CONTRACT_ADDRESS: input.contractAddress,
    RELEASES_ADDRESS: input.releasesAddress,
    PUBLISHER_PRIVATE_KEYS: secrets.publisherKey,
    PUBLISHER_ADDRESSES: privateKeyToAddress(secrets.publisherKey),
    VITE_API_URL: apiUrl,
    VITE_CHAIN_ID: String(servers.chainId),
    VITE_RPC_URL: servers.rpcUrl,
    VITE_IPFS_GATEWAY_URL: servers.ipfsGatewayUrl,
    VITE_CONTRACT_ADDRESS: input.contractAddress,
    VITE_TRUST_ANCHORS_FILE: join(dir, 'trust-anchors.json'),
  }
  return { ...changeable, ...withoutEmpty(env), ...own }
}

/** `NAME=` in a file means "not set". */
function withoutEmpty(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
}
