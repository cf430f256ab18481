import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import manifest from '../package.json' with { type: 'json' }
import { measureSize } from './measureSize.js'

/** What one package adds to an app, in gzipped bytes of minified JavaScript; or, in words, why it was not measured. */
export interface SizeRow {
  name: string
  /** What a page loads at first: the entry and everything it imports statically. */
  gzippedBytes: number | null
  /** The most that we promise. */
  atMostBytes?: number
  /** How many times ours fits into it. */
  timesOurs?: number
  note?: string
}

const sdk = (entry: string) => new URL(`../sdk/${entry}`, import.meta.url).pathname
const ours = [
  { name: '@perigee/sdk (core entry)', entry: 'index.ts', atMostBytes: 6000 },
  { name: '@perigee/sdk/client', entry: 'client/index.ts', atMostBytes: 5000 },
  { name: '@perigee/sdk/proof', entry: 'proof/index.ts', atMostBytes: 3000 },
  { name: '@perigee/sdk/viem', entry: 'viem/index.ts', atMostBytes: 3000 },
  { name: '@perigee/sdk/eip1193', entry: 'eip1193/index.ts', atMostBytes: 3000 },
  { name: '@perigee/sdk/wagmi', entry: 'wagmi/index.ts', atMostBytes: 3000 },
]

/** Only the provider and hooks that signing in and sending need: what a peer's app would really bundle. */
const peers = [
  { name: '@privy-io/react-auth@3.45.0', uses: 'PrivyProvider, usePrivy, useWallets, useSendTransaction' },
  { name: '@turnkey/react-wallet-kit@2.4.3', uses: 'TurnkeyProvider, useTurnkey' },
  { name: '@coinbase/cdp-hooks@0.0.106', uses: 'CDPHooksProvider, useEvmAddress, useSendEvmTransaction' },
]

/** Privy's package brings hundreds of others. */
const installMs = 420_000

const { viem } = manifest.dependencies
const { react, 'react-dom': reactDom } = manifest.devDependencies
const commonPeers = [`viem@${viem}`, `react@${react}`, `react-dom@${reactDom}`]

/**
 * Our entry points, whole, beside peers' packages from npm, tree-shaken to what such an app uses. All bundled by
 * esbuild for browsers, with React, viem and wagmi left out. A peer that cannot be had is a row without a number.
 */
export async function sizes(): Promise<SizeRow[]> {
  const rows: SizeRow[] = []
  for (const { name, entry, atMostBytes } of ours) {
    const { gzippedBytes } = await measureSize(`export * from ${JSON.stringify(sdk(entry))}`, import.meta.dirname)
    rows.push({ name, gzippedBytes, atMostBytes })
  }
  const core = rows[0]?.gzippedBytes ?? Number.NaN
  for (const peer of peers) rows.push(await measurePeer(peer, core))
  return rows
}

async function measurePeer({ name, uses }: (typeof peers)[number], core: number): Promise<SizeRow> {
  const folder = await mkdtemp(join(tmpdir(), 'perigee-sizes-'))
  try {
    // No scripts: nothing of a stranger's package runs here. The peers are not weighed, and one version suits all.
    const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', name, ...commonPeers]
    await promisify(execFile)('npm', args, { timeout: installMs })
    const source = `export { ${uses} } from ${JSON.stringify(name.slice(0, name.lastIndexOf('@')))}`
    const { gzippedBytes, leftOut } = await measureSize(source, folder)
    const note = leftOut.length > 0 ? `without its optional ${leftOut.join(', ')}` : undefined
    return { name, gzippedBytes, timesOurs: gzippedBytes / core, ...(note && { note }) }
  } catch (error) {
    const { message, killed } = error as Error & { killed?: boolean }
    const lines = killed ? [`npm took more than ${installMs / 1000} s`] : message.split('\n')
    const reason = lines.find((line) => /error (?!code)/i.test(line)) ?? lines[0] ?? ''
    return { name, gzippedBytes: null, note: `not measured: ${reason.replaceAll(folder, '').slice(0, 160)}` }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
