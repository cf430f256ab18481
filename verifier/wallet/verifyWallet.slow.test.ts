import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromHex } from '@perigee/core/bytes'
import { createSimulatedWorld, signedAt, type SimulatedWorld } from '../../core/receipt/testing/simulatedWorld.js'
import { createSampleWallet, withMessage, type SampleWallet } from '../../core/receipt/gather/testing/sampleWallet.js'
import { jsonOf, runInProcess } from '../testing/runInProcess.js'
import { serve, serveBlocks, serveChain, type TestServer } from '../testing/servers.js'

let folder: string
let world: SimulatedWorld
let sample: SampleWallet
let gateway: TestServer
let node: TestServer
const run = (...args: string[]) => runInProcess(['wallet', sample.wallet, ...args], folder, signedAt + 1000)
const online = (rpc = node.url) => ['--gateway', gateway.url, '--rpc', rpc, '--trust', 'trust.json']
const receiptsAsked = () => gateway.asked.filter((path) => sample.receipts.some(({ evidence }) => path.includes(evidence.cid))).length // prettier-ignore

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perigee-wallet-'))
  world = await createSimulatedWorld()
  sample = createSampleWallet(world, [0, 1, 2])
  gateway = await serveBlocks(sample.blocks)
  node = await serveChain(sample.events, { releases: sample.releases, sent: sample.txHashes })
  await writeFile(join(folder, 'trust.json'), JSON.stringify(sample.receipts[0]!.anchors))
})
afterAll(async () => {
  await Promise.all([gateway.close(), node.close()])
  await rm(folder, { recursive: true })
})

test('prints a table, what was found, and the verdict', async () => {
  const { exit, stdout, stderr } = await run(...online())
  const lines = stdout.split('\n')
  expect(lines[0]).toMatch(/^block +nonce +receipt +on chain +delay +CID$/)
  expect(lines[1]).toMatch(/^5 +birth +PASS +- +8 s +b/)
  expect(lines[2]).toMatch(/^12 +0 +PASS +included +8 s +b/)
  expect(lines.at(-1)).toMatch(/^VERIFIED: .*every nonce.*SIMULATED/)
  expect(stdout).toContain('found   1 births, 3 receipts (3 verified), 3 transactions')
  expect(stderr).toContain('4 of 4 receipts checked')
  expect(exit).toBe(0)
})

test('a message is in the table without a nonce, and nothing of its content', async () => {
  const { events, blocks } = withMessage(world, sample)
  const more = await serveBlocks(blocks)
  const later = await serveChain(events, { releases: sample.releases, sent: sample.txHashes })
  const { exit, stdout } = await run('--gateway', more.url, '--rpc', later.url, '--trust', 'trust.json')
  expect(stdout).toMatch(/\n20 +message +PASS +- +8 s +b/)
  expect(stdout).toContain('found   1 births, 4 receipts (4 verified), 3 transactions')
  expect([exit, stdout.includes('I agree')]).toEqual([0, false])
  await Promise.all([more.close(), later.close()])
})

test('a nonce without a receipt is exit code 1, also as JSON', async () => {
  const short = await serveChain(sample.events.slice(0, -1), { releases: sample.releases, sent: sample.txHashes })
  const { exit, stdout } = await run(...online(short.url))
  expect(stdout).toMatch(/\nFAULT nonce_without_receipt 2: /)
  expect([exit, stdout.split('\n').at(-1)]).toEqual([1, 'NOT VERIFIED: nonce_without_receipt'])
  const json = jsonOf(await run(...online(short.url), '--json'))
  expect(json).toMatchObject({ verified: false, nonces: { missing: 1, ranges: '2' }, trust: { source: 'trust.json' } })
  await short.close()
})

test('does not verify simulated receipts under the built-in roots', async () => {
  const contract = sample.receipts[0]!.anchors.contracts[0]!.address
  const { exit, stdout } = await run('--gateway', gateway.url, '--rpc', node.url, '--contract', contract)
  expect([exit, stdout.split('\n').at(-1)]).toEqual([1, expect.stringMatching(/^NOT VERIFIED: receipt_invalid/)])
})

test('goes on where it was stopped, and verifies finished receipts no more', async () => {
  const path = join(folder, 'state')
  expect((await run(...online(), '--state', 'state')).exit).toBe(0)
  const whole = await readFile(path, 'utf8')
  expect(whole.trimEnd().split('\n')).toHaveLength(1 + 4)
  // Stopped in the middle of the third receipt's line.
  await writeFile(path, whole.slice(0, -40))
  const asked = receiptsAsked()
  const again = await run(...online(), '--state', 'state')
  expect(again).toMatchObject({ exit: 0, stderr: expect.stringContaining('3 receipts are finished already') as string })
  expect(receiptsAsked() - asked).toBe(1)
  expect(await readFile(path, 'utf8')).toBe(whole)
})

test('keeps no receipt that failed: the next run tries again', async () => {
  const { [sample.receipts[1]!.evidence.cid]: _, ...rest } = sample.blocks
  const poor = await serveBlocks(rest)
  const first = await run('--gateway', poor.url, ...online().slice(2), '--state', 'retry')
  expect(first.exit).toBe(1)
  expect((await run(...online(), '--state', 'retry')).exit).toBe(0)
  await poor.close()
})

test('refuses a state that belongs to something else or was altered', async () => {
  await run(...online(), '--state', 'fit')
  expect((await run(...online(), '--state', 'fit', '--confirmations', '2')).exit).toBe(2)
  const other = ['wallet', `0x${'01'.repeat(20)}`, ...online(), '--state', 'fit']
  expect((await runInProcess(other, folder, signedAt)).exit).toBe(2)
  await appendFile(join(folder, 'fit'), '{"key":"0x01"}\n')
  expect((await run(...online(), '--state', 'fit')).exit).toBe(2)
  for (const text of ['hello', 'hello\n', '{}\n']) {
    await writeFile(join(folder, 'foreign'), text)
    expect((await run(...online(), '--state', 'foreign')).exit).toBe(2)
    expect(await readFile(join(folder, 'foreign'), 'utf8')).toBe(text)
  }
  expect((await run(...online(), '--state', '.')).exit).toBe(2)
})

test('a hostile gateway or node never gives a good verdict, nor a stack trace', async () => {
  const liar = await serve(() => ({ body: '{"jsonrpc":"2.0","id":1,"result":"\u001b[2J"}' }))
  const gateways = await run('--gateway', liar.url, ...online().slice(2))
  expect(gateways.exit).toBe(1)
  expect(gateways.stdout).toContain('cid_mismatch')
  expect(await run(...online(liar.url))).toMatchObject({ exit: 1, stdout: expect.stringContaining('NOT VERIFIED [') })
  const script = sample.events.map((event, index) => (index === 1 ? { ...event, ipfsCid: '\u001b[2J<script>' } : event))
  const scripted = await serveChain(script, { releases: sample.releases, sent: sample.txHashes })
  const shown = await run(...online(scripted.url))
  expect([shown.exit, shown.stdout.includes('\u001b')]).toEqual([1, false])
  await Promise.all([liar.close(), scripted.close()])
})

test('compares the coordinators’ chains with AMD’s lists of revoked certificates when they are given', async () => {
  await writeFile(join(folder, 'crl.der'), fromHex(world.snp.crl))
  await writeFile(join(folder, 'revoking.der'), fromHex(await world.snp.revoking([2])))
  expect((await run(...online(), '--amd-crl', 'crl.der', '--state', 'listed')).exit).toBe(0)
  const revoked = await run(...online(), '--amd-crl', 'crl.der', '--amd-crl', 'revoking.der')
  expect([revoked.exit, revoked.stdout]).toEqual([1, expect.stringContaining('(vek_revoked)')])
  // Receipts that were finished under other lists are not taken over.
  expect((await run(...online(), '--amd-crl', 'revoking.der', '--state', 'listed')).exit).toBe(2)
})

test('needs a wallet’s address', async () => {
  for (const wrong of [['wallet'], ['wallet', '0x12'], ['wallet', sample.wallet, '--offline']]) {
    expect((await runInProcess(wrong, folder, signedAt)).exit).toBe(2)
  }
})
