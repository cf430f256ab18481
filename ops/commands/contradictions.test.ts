import { afterAll, beforeAll, expect, test } from 'vitest'
import { blocksOf } from '../../core/receipt/testing/mintReceipt.js'
import { createSimulatedWorld } from '../../core/receipt/testing/simulatedWorld.js'
import {
  createSampleWallet,
  eventAt,
  valueOf,
  type SampleWallet,
} from '../../core/receipt/gather/testing/sampleWallet.js'
import { serve, serveChain, type TestServer } from '../../verifier/testing/servers.js'
import { run } from '../run.js'

let sample: SampleWallet
let kubo: TestServer
let blocks: Record<string, Uint8Array>

beforeAll(async () => {
  sample = createSampleWallet(await createSimulatedWorld(), [0, 1])
  blocks = sample.blocks
  kubo = await serve((path) => {
    const body = blocks[/[?&]arg=(b[a-z2-7]+)/.exec(path)?.[1] ?? '']
    return body === undefined ? { status: 500, body: '{"Message":"block was not found locally (offline)"}' } : { body }
  })
})
afterAll(() => kubo.close())

/** No DATABASE_URL: the command asks no database. */
async function contradictions(events: SampleWallet['events'], ipfs = [kubo.url], changes: Record<string, string> = {}) {
  const node = await serveChain(events)
  const env = {
    CHAIN_RPC_URLS: node.url,
    CHAIN_ID: '31337',
    CONTRACT_ADDRESS: sample.events[0]!.contract,
    IPFS_API_URLS: ipfs.join(','),
    ...changes,
  }
  const lines: string[] = []
  const console = { print: (line: string) => lines.push(line), complain: (line: string) => lines.push(line) }
  const code = await run(['contradictions'], env, console, '/')
  await node.close()
  return { code, text: lines.join('\n') }
}

test('good receipts: nothing is found', async () => {
  expect(await contradictions(sample.events)).toEqual({
    code: 0,
    text: '3 events, 0 contradictions, 0 receipts not read',
  })
})

test('names a sample that two receipts name', async () => {
  const reused = sample.mint(2, valueOf(1))
  blocks = { ...sample.blocks, ...blocksOf(reused) }
  const { code, text } = await contradictions([...sample.events, eventAt(reused, 20)])
  expect(code).toBe(1)
  expect(text).toContain(`CONTRADICTION  sample_twice  ${sample.receipts[1]!.evidence.cid} and ${reused.evidence.cid}`)
})

test('names one that a receipt of this contract and one of a former contract name', async () => {
  const reused = sample.mint(2, valueOf(1))
  blocks = { ...sample.blocks, ...blocksOf(reused) }
  const contract = `0x${'22'.repeat(20)}` as const
  const events = [...sample.events, { ...eventAt(reused, 20), contract }]
  const moved = { CONTRACT_ADDRESS: contract, FORMER_CONTRACTS: `${sample.events[0]!.contract}@0` }
  const { code, text } = await contradictions(events, [kubo.url], moved)
  expect([code, text]).toEqual([1, expect.stringContaining('CONTRADICTION  sample_twice')])
  expect(await contradictions(events, [kubo.url], { CONTRACT_ADDRESS: contract })).toMatchObject({ code: 0 })
})

test('exit code 3 when a receipt cannot be read', async () => {
  const [first, ...rest] = sample.events as [(typeof sample.events)[number], ...typeof sample.events]
  const { code, text } = await contradictions([{ ...first, ipfsCid: 'no CID' }, ...rest])
  expect([code, text]).toEqual([3, expect.stringContaining('UNREAD         no CID: no IPFS node has it')])
})

test('a node that gives other bytes does not hide the good copy on the next', async () => {
  const liar = await serve(() => ({ body: 'rotten' }))
  expect(await contradictions(sample.events, [liar.url, kubo.url])).toMatchObject({ code: 0 })
  const { code, text } = await contradictions(sample.events, [liar.url])
  expect([code, text]).toEqual([3, expect.stringContaining('do not hash to the CID')])
  await liar.close()
})
