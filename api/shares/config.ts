import { readFileSync } from 'node:fs'
import { parseStrictJson, ServiceError } from '@perigee/core'
import type { EnvReader, IdentityProviderConfig } from '@perigee/core/config'
import { parseSchema } from '@perigee/core/errors'
import { parsePublishUnsentAfter, parseWalletRpcs } from '../../clients/chain/config.js'
import {
  defaultEntropyReserve,
  defaultShares,
  sharesFileSchema,
  type Group,
  type GroupEntry,
  type Shares,
} from './Shares.js'

/** What decides who may have how much signed. */
export interface ShareSettings {
  shares: Shares
  /** How long a signed transaction that no RPC has seen counts as unsent: until its receipt is published. */
  unsentSeconds: number
  /** When fewer samples are left for the day, users over their equal share wait. 0: never. */
  entropyReserve: number
}

export function parseShareSettings(read: EnvReader, providers: readonly IdentityProviderConfig[]): ShareSettings {
  return {
    shares: parseShares(read, providers),
    unsentSeconds: parsePublishUnsentAfter(read),
    entropyReserve: read.integer('ENTROPY_RESERVE', { min: 0, max: 10_000_000 }, defaultEntropyReserve),
  }
}

/** RPCs to ask for a wallet's balance before something is signed, by chain; null when that is turned off. */
export function parseFundsRpcs(read: EnvReader): Map<number, string[]> | null {
  const isWanted = read.oneOf('CHECK_FUNDS', ['true', 'false'], 'true') === 'true'
  const publishes = read.has('CHAIN_ID') && read.has('CHAIN_RPC_URLS')
  const rpcs = parseWalletRpcs(read, {
    chainId: publishes ? read.integer('CHAIN_ID', { min: 1, max: Number.MAX_SAFE_INTEGER }) : 0,
    rpcUrls: publishes ? read.urls('CHAIN_RPC_URLS') : [],
  })
  return isWanted ? rpcs : null
}

function parseShares(read: EnvReader, providers: readonly IdentityProviderConfig[]): Shares {
  if (!read.has('SHARES_FILE')) return defaultShares
  const text = read.file('SHARES_FILE', (path) => readFileSync(path, 'utf8'))
  if (text === undefined) return defaultShares // the problem is noted
  try {
    return readShares(text, providers)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    read.problem(`SHARES_FILE: ${error.message}`)
    return defaultShares
  }
}

/** Throws `invalid_request` with one line that says what is wrong. */
export function readShares(text: string, providers: readonly IdentityProviderConfig[]): Shares {
  const json = parseStrictJson(text)
  type File = Partial<Omit<Shares, 'groups'>> & { groups?: GroupEntry[] }
  const { groups = [], ...named } = parseSchema<File>(sharesFileSchema, json, 'invalid_request', 'file')
  const shares: Shares = { ...defaultShares, ...named, groups: [] }
  const known = new Set<string>()
  for (const { name, members, users = shares.users, group } of groups) {
    shares.groups.push({ name, users, group, members: members.map((member) => identityOf(member, providers)) })
    for (const key of [`group ${name}`, ...members]) {
      if (known.has(key)) throw new ServiceError('invalid_request', `${key} is named twice`)
      known.add(key)
    }
  }
  return shares
}

function identityOf(member: string, providers: readonly IdentityProviderConfig[]): Group['members'][number] {
  const [, name = '', subject = ''] = /^([^:]+):(.+)$/.exec(member) ?? []
  const issuer = providers.find((provider) => provider.name === name)?.issuer
  if (issuer === undefined) throw new ServiceError('invalid_request', `${member}: OIDC_PROVIDERS has no ${name}`)
  return { issuer, subject }
}
