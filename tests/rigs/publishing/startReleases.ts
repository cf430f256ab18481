import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ed25519 } from '@noble/curves/ed25519'
import { toHex } from '@perigee/core'
import { releaseFile, signRelease, type MeasurementRelease } from '@perigee/core/measurements'
import { run } from '../../../ops/run.js'
import { components, openFresh } from '../../harness/index.js'
import { deployReleases } from './announceList.js'

export interface ReleaseOutcome {
  code: number
  text: string
  json: Record<string, unknown> & { error?: { code: string } }
}

/** A contract of lists of builds, a release key, a database and a folder of a test's own; IPFS and chain are shared. */
export async function startReleases() {
  const { rpcUrl, chainId, ipfsApiUrl } = components()
  const folder = mkdtempSync(join(tmpdir(), 'perigee-releases-'))
  const path = (name: string) => join(folder, name)
  const { ownerKey, contract, releases } = await deployReleases()
  const releaseKey = new Uint8Array(randomBytes(32))
  const fresh = await openFresh()
  writeFileSync(path('release.key'), toHex(releaseKey))
  writeFileSync(path('owner.key'), ownerKey)
  const env = {
    DATABASE_URL: fresh.url,
    CHAIN_ID: String(chainId),
    CHAIN_RPC_URLS: rpcUrl,
    CHAIN_CONFIRMATIONS: '1',
    CHAIN_POLL_MS: '50',
    RELEASES_ADDRESS: contract,
    MEASUREMENTS_PUBLIC_KEY: toHex(ed25519.getPublicKey(releaseKey)),
    MEASUREMENTS_FILE: path('measurements.json'),
    IPFS_API_URLS: ipfsApiUrl,
    PERIGEE_OPERATOR: 'ops-1',
  }

  return {
    path,
    env,
    contract,
    database: fresh.database,
    releases,

    /** Runs `npm run ops -- release … --json`, as if in the folder. */
    async release(args: string[], changes: Record<string, string> = {}): Promise<ReleaseOutcome> {
      const lines: string[] = []
      const printed: string[] = []
      const console = { print: (line: string) => printed.push(line), complain: (line: string) => lines.push(line) }
      const code = await run(['release', ...args, '--json'], { ...env, ...changes }, console, folder)
      const text = [...lines, ...printed].join('\n')
      return { code, text, json: JSON.parse(printed.join('\n') || '{}') as ReleaseOutcome['json'] }
    },

    /** A file, as text or as a signed list. */
    write(name: string, content: string | object): string {
      writeFileSync(path(name), typeof content === 'string' ? content : JSON.stringify(content))
      return path(name)
    },
    writeSigned(name: string, list: MeasurementRelease, key: Uint8Array = releaseKey): string {
      writeFileSync(path(name), releaseFile(signRelease(list, key)))
      return path(name)
    },

    async close(): Promise<void> {
      await fresh.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type ReleasesRig = Awaited<ReturnType<typeof startReleases>>
