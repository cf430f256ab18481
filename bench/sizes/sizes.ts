import { fileURLToPath } from 'node:url'
import { figure, type Figure } from '../measure/Figure.js'
import { measureSize } from './measureSize.js'
import { weighPages, type PageName } from './pages.js'
import { peerFigures } from './peers.js'

const sdk = (entry: string) => fileURLToPath(new URL(`../../sdk/${entry}`, import.meta.url))
const entries = [
  { name: '@perigee/sdk (core entry)', entry: 'index.ts', atMost: 6000 },
  { name: '@perigee/sdk/client', entry: 'client/index.ts', atMost: 5000 },
  { name: '@perigee/sdk/proof', entry: 'proof.ts', atMost: 3000 },
  { name: '@perigee/sdk/viem', entry: 'viem.ts', atMost: 3000 },
  { name: '@perigee/sdk/eip1193', entry: 'eip1193.ts', atMost: 3500 },
  { name: '@perigee/sdk/wagmi', entry: 'wagmi.ts', atMost: 3500 },
]
/** Of scripts, as tests/browser/pages.slow.test.ts has it. */
const scriptsAtMost: Partial<Record<PageName, number>> = { 'proof page': 150_000 }

/**
 * Gzipped bytes. Our entry points, whole, beside peers' packages, tree-shaken to what such an app uses; both bundled by
 * esbuild for browsers without React, viem and wagmi. Then our pages with everything they load first, React and viem
 * included, beside the smallest peer's package alone.
 */
export async function sizes(): Promise<Figure[]> {
  const ours: Figure[] = []
  for (const { name, entry, atMost } of entries) {
    const { gzippedBytes } = await measureSize(`export * from ${JSON.stringify(sdk(entry))}`, import.meta.dirname)
    ours.push(figure(name, 'bytes', [gzippedBytes], { atMost }))
  }
  const peers = await peerFigures({ name: entries[0]?.name ?? '', gzippedBytes: ours[0]?.value ?? NaN })
  const [smallest] = peers.filter(({ value }) => value !== null).sort((a, b) => Number(a.value) - Number(b.value))
  const against = smallest && { against: { name: `${smallest.name} alone`, rounds: [Number(smallest.value)] } }
  const pages = (await weighPages()).flatMap(({ name, gzippedBytes, scripts }) => {
    const atMost = scriptsAtMost[name]
    return [
      figure(`${name}, first load`, 'bytes', [gzippedBytes], against),
      figure(`… of it scripts`, 'bytes', [scripts], atMost === undefined ? {} : { atMost }),
    ]
  })
  return [...ours, ...peers, ...pages]
}
