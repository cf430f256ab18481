import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { privateKeyToAddress } from 'viem/accounts'
import { findKubo } from '../dev/stack/binaries/index.js'
import { createKubo } from '../dev/stack/components/kubo.js'
import { queryOnce } from '../dev/stack/components/postgres.js'
import { waitUntil } from '../dev/stack/processes/waitUntil.js'
import { silent } from '../dev/stack/progress.js'
import { freePorts } from '../dev/stack/settings/ports.js'
import { readIpfs } from '../soak/check/readIpfs.js'
import type { Rehearsal } from './Rehearsal.js'
import type { Rig } from './rig/openRig.js'
import { addPublisher, countSlots, secretsOf } from './rig/publishers.js'

const why = ['--operator', 'ops-1', '--reason', 'rehearsal']

/** A second publishing key, a second IPFS node, and a node that loses its disk. */
export const growth: Rehearsal = {
  name: 'growth',
  title: 'A second publishing key and a second IPFS node join; the first IPFS node loses its disk and is replaced',
  async run(rig) {
    await addSecondKey(rig)
    const first = `127.0.0.1:${rig.run.world.links['worker-kubo'].port}` // workers reach it through a proxy
    const second = await rig.step('start a second IPFS node, empty', () => startSecondKubo(rig))
    const both = { IPFS_API_URLS: `http://${first},${second}`, IPFS_REQUIRED_PINS: '2' }
    await rig.step('workers restarted in turn with both nodes; a receipt must be on both', () =>
      rig.roll('worker', both),
    )
    await rig.step('npm run ops -- repin, for the second node', () => repin(rig, new URL(second).host))
    await loseFirstNode(rig, first, second)
    await rig.load.stop()
    await rig.step('every proof complete', rig.waitForProofs)
    const rows = await queryOnce<{ cid: string }>(rig.stack.file.databaseUrl, 'SELECT DISTINCT cid FROM pins')
    for (const url of [rig.stack.file.ipfsApiUrl, second]) {
      const held = new Set(await pinned(url))
      const lacking = rows.filter(({ cid }) => !held.has(cid))
      rig.require(rows.length > 0 && lacking.length === 0, `${url} lacks ${lacking.length} of ${rows.length} blocks`)
    }
    rig.note(`${rows.length} blocks are on both nodes`)
  },
}

async function addSecondKey(rig: Rig): Promise<void> {
  const key = await rig.step('the owner of the contract adds a publisher, which is funded', () => addPublisher(rig))
  const { publisherKey } = secretsOf(rig)
  const addresses = [publisherKey, key].map((one) => privateKeyToAddress(one))
  const [, added = '0x'] = addresses
  await rig.step('workers restarted in turn with both keys', () =>
    rig.roll('worker', { PUBLISHER_PRIVATE_KEYS: `${publisherKey},${key}` }),
  )
  await rig.step('APIs restarted in turn with both addresses', () =>
    rig.roll('api', { PUBLISHER_ADDRESSES: addresses.join(',') }),
  )
  await rig.step('until the new key has published', () =>
    waitUntil('the new key', async () => (await countSlots(rig, added)).all > 0, { timeoutMs: 120_000 }),
  )
}

/** Starts another IPFS node beside the stack's, with a repository of its own. Returns its RPC address. */
async function startSecondKubo({ run, stack }: Rig): Promise<string> {
  const dir = join(run.dir, 'second-kubo')
  await mkdir(dir)
  const ports = await freePorts()
  const program = await findKubo(process.env, silent)
  await stack.add({ ...createKubo({ dir, ports, env: process.env }, program), name: 'second-kubo' })
  return `http://127.0.0.1:${ports.kuboApi}`
}

async function loseFirstNode(rig: Rig, first: string, second: string): Promise<void> {
  const before = await pinned(second)
  await rig.program('kubo').stop('SIGKILL')
  await rm(join(rig.run.dir, 'kubo'), { recursive: true })
  await rig.step('the first node is killed and its disk deleted; users go on signing', () => rig.pause(15))
  await rig.step('an empty node starts at the same address', () => rig.program('kubo').start())
  const found = await pinned(rig.stack.file.ipfsApiUrl)
  rig.require(found.length < before.length, 'the replaced node was not empty')
  await rig.step('npm run ops -- repin, for the replaced node', () => repin(rig, first))
}

async function repin(rig: Rig, node: string): Promise<void> {
  const { code, output } = await rig.ops(['repin', node, ...why])
  rig.require(code === 0, `repin ended with ${code}`)
  rig.note(output)
}

const pinned = async (url: string) => (await readIpfs(url, [])).pinned
