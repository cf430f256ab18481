import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ConfigError, type Env } from '@perigee/core/config'

export interface LocalStack {
  file: string
  variables: Env
}

/**
 * The local stack to use: the one that `file` names, or the one of this folder when the environment names no deployment.
 * A deployment's variables always win over a stack that happens to run here.
 */
export function findStack(file: string | undefined, env: Env, folder: string): LocalStack | null {
  if (file !== undefined) return readStack(resolve(folder, file))
  if (env['DATABASE_URL'] || env['TEMPORAL_ADDRESS']) return null
  const usual = join(folder, '.perigee', 'stack.json')
  return existsSync(usual) ? readStack(usual) : null
}

/** Reads the variables of a stack from the two files it keeps. */
function readStack(file: string): LocalStack {
  try {
    const stack = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    const secrets = JSON.parse(readFileSync(join(dirname(file), 'secrets.json'), 'utf8')) as Record<string, unknown>
    const release = join(dirname(file), 'simulation', 'release')
    const variables = {
      DATABASE_URL: String(stack['databaseUrl']),
      TEMPORAL_ADDRESS: String(stack['temporalAddress']),
      TEMPORAL_NAMESPACE: String(stack['namespace']),
      ...(stack['temporalAccess'] as Record<string, string>),
      TEMPORAL_CODEC_KEYS: `local:${String(secrets['codecKey'])}`,
      CHAIN_RPC_URLS: String(stack['rpcUrl']),
      CHAIN_ID: String(stack['chainId']),
      CHAIN_CONFIRMATIONS: '1',
      CONTRACT_ADDRESS: String(stack['contractAddress']),
      RELEASES_ADDRESS: String(stack['releasesAddress']),
      RELEASES_OWNER_KEY: String(secrets['contractOwnerKey']),
      MEASUREMENTS_FILE: join(release, 'measurements.json'),
      MEASUREMENTS_PUBLIC_KEY: existsSync(release) ? readFileSync(join(release, 'public-key'), 'utf8').trim() : '',
      IPFS_API_URLS: String(stack['ipfsApiUrl']),
    }
    return { file, variables }
  } catch {
    throw new ConfigError([`${file} does not describe a running stack`])
  }
}
