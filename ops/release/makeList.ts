import { sha256 } from '@noble/hashes/sha2'
import { canonicalJson, ServiceError, toHex } from '@perigee/core'
import { parseSchema } from '@perigee/core/errors'
import { releaseSchema, type MeasurementRelease } from '@perigee/core/measurements'
import { createReleases, type Releases, type ReleaseToAnnounce } from '../../clients/releases/createReleases.js'
import type { OpsConfig } from '../config.js'
import type { Outcome } from '../Outcome.js'
import { readBytes, readJson, readList, replaceList } from './listFiles.js'

export interface MakeOptions {
  /** Entries of builds that join the list. */
  enclave: string[]
  coordinator: string[]
  /** The compose file of the new enclave build: gives its compose hash and its key provider. */
  appCompose?: string
  /** Names of builds that leave the list. */
  without: string[]
  /** The list to continue; MEASUREMENTS_FILE when left out. */
  from?: string
  expires?: string
  out: string
}

/** Writes the next list, unsigned: that of the list before, without some builds and with others. */
export async function makeList(config: OpsConfig, options: MakeOptions): Promise<Outcome> {
  const { contract, publicKey, file } = config.releases()
  const releases = createReleases(contract)
  const latest = await releases.latestVersion()
  const from = options.from ?? file
  if (latest > 0 && !from) throw new ServiceError('invalid_request', `name list ${latest} with --from`)
  const before = latest > 0 && from ? readList(from, publicKey) : null
  if (before) await requireNewest(before, latest, releases)
  const release = nextList(before?.release ?? null, latest + 1, options)
  replaceList(options.out, new TextEncoder().encode(canonicalJson(release)))
  const { version, enclaves, coordinators } = release
  const names = [...enclaves, ...coordinators].map(({ name }) => name)
  const lines = [`list ${version}: ${names.join(', ')}`, `written to ${options.out}; sign it with: release sign`]
  return { lines, json: { version, builds: names, file: options.out }, exitCode: 0 }
}

/** A list made from an old one would bring back builds that were left out since. */
async function requireNewest(list: ReleaseToAnnounce, latest: number, releases: Releases) {
  if (list.release.version > latest) {
    throw new ServiceError('release_invalid', `list ${list.release.version} was never announced`, { latest })
  }
  await releases.mustAnnounce(list) // throws for another list of this version, and for an older one
}

function nextList(before: MeasurementRelease | null, version: number, options: MakeOptions): MeasurementRelease {
  const { without, expires } = options
  const known = [...(before?.enclaves ?? []), ...(before?.coordinators ?? [])].map(({ name }) => name)
  const unknown = without.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new ServiceError('invalid_request', `no build is named ${unknown.join(', ')}`)
  const staying = <T extends { name: string }>(builds: readonly T[] = []) =>
    builds.filter(({ name }) => !without.includes(name))
  const compose = options.appCompose === undefined ? {} : composeFacts(options.appCompose)
  const joining = options.enclave.map((path) => ({ simulated: false, ...entryOf(path), ...compose }))
  const list = {
    format: 'perigee-release/1',
    version,
    issuedAt: new Date().toISOString(),
    ...(expires === undefined ? {} : { expiresAt: expires }),
    enclaves: [...staying(before?.enclaves), ...joining],
    coordinators: [
      ...staying(before?.coordinators),
      ...options.coordinator.map((path) => ({ simulated: false, ...entryOf(path) })),
    ],
  }
  return parseSchema<MeasurementRelease>(releaseSchema, list, 'release_invalid', 'the list')
}

function entryOf(path: string): object {
  const value = readJson(path)
  if (typeof value !== 'object' || value === null) throw new ServiceError('release_invalid', `${path} is no build`)
  return value
}

/** What dstack will measure of this file: its hash, and the key service that it names. */
function composeFacts(path: string) {
  const { key_provider: name, key_provider_id: id } = readJson(path) as Record<string, unknown>
  if (typeof name !== 'string' || typeof id !== 'string') {
    throw new ServiceError('release_invalid', `${path} sets no key_provider and key_provider_id`)
  }
  return { composeHash: toHex(sha256(readBytes(path))), keyProvider: { name, id: `0x${id.replace(/^0x/, '')}` } }
}
