import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { figure, notMeasured, type Figure } from '../measure/Figure.js'
import { measureSize } from './measureSize.js'

/** Only the provider and hooks that an app needs to sign in and send. */
const peers = [
  { name: '@privy-io/react-auth@3.45.0', uses: 'PrivyProvider, usePrivy, useWallets, useSendTransaction' },
  { name: '@turnkey/react-wallet-kit@2.4.3', uses: 'TurnkeyProvider, useTurnkey' },
  { name: '@coinbase/cdp-hooks@0.0.106', uses: 'CDPHooksProvider, useEvmAddress, useSendEvmTransaction' },
]

const { viem } = manifest.dependencies
const { react, 'react-dom': reactDom } = manifest.devDependencies
const commonPeers = [`viem@${viem}`, `react@${react}`, `react-dom@${reactDom}`]
const record = new URL('./peers.json', import.meta.url)

export interface KeptPeer {
  name: string
  uses: string
  gzippedBytes: number
  /** Optional packages that are not installed. */
  leftOut: readonly string[]
  measuredAt: string
}

/** Installs the packages of peers from npm, measures them, and keeps the sizes for later runs. */
export async function measurePeers(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'perigee-peers-'))
  try {
    const names = [...peers.map(({ name }) => name), ...commonPeers]
    // No scripts: no code of these packages runs here. React and viem are not counted, and one version suits all.
    const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...names]
    await promisify(execFile)('npm', args)
    const kept = await weighPeers(folder)
    await writeFile(record, `${JSON.stringify(kept, null, 2)}\n`)
    return kept.map(({ name, gzippedBytes }) => figure(name, 'bytes', [gzippedBytes]))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The sizes of those installed in this folder, tree-shaken to what such an app uses. */
async function weighPeers(folder: string): Promise<KeptPeer[]> {
  const measuredAt = new Date().toISOString().slice(0, 10)
  const kept: KeptPeer[] = []
  for (const { name, uses } of peers) {
    const source = `export { ${uses} } from ${JSON.stringify(name.slice(0, name.lastIndexOf('@')))}`
    kept.push({ name, uses, ...(await measureSize(source, folder)), measuredAt })
  }
  return kept
}

/** The kept sizes of the peers' packages, against a size of ours. */
export async function peerFigures(ours: { name: string; gzippedBytes: number }): Promise<Figure[]> {
  const kept = JSON.parse(await readFile(record, 'utf8')) as KeptPeer[]
  return peers.map(({ name, uses }) => {
    const known = kept.find((peer) => peer.name === name && peer.uses === uses)
    if (!known) return notMeasured(name, 'bytes', 'not measured yet: npm run bench -- peers')
    const without = known.leftOut.length > 0 ? `without its optional ${known.leftOut.join(', ')}; ` : ''
    return figure(name, 'bytes', [known.gzippedBytes], {
      against: { name: ours.name, rounds: [ours.gzippedBytes] },
      note: `${without}measured on ${known.measuredAt}`,
    })
  })
}
