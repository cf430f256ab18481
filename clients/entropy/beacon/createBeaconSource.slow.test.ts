import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyEntropySample, type EntropyTrust } from '@perigee/core/entropy'
import { verifyBeacon } from '@perigee/core/entropyBeacon'
import { createBeaconPublisher, startGateway, type Publication } from '../testing/beaconPublisher.js'
import { createBeaconSource, type BeaconDeps } from './createBeaconSource.js'

type Publisher = Awaited<ReturnType<typeof createBeaconPublisher>>
type Gateway = Awaited<ReturnType<typeof startGateway>>
let publisher: Publisher
let other: Publisher
let gateway: Gateway
let second: Gateway
let block7: Publication
let block8: Publication
let trust: EntropyTrust

beforeAll(async () => {
  publisher = await createBeaconPublisher()
  other = await createBeaconPublisher()
  block7 = await publisher.publish(7)
  block8 = await publisher.publish(8)
  gateway = await startGateway(publisher.name, block8)
  second = await startGateway(publisher.name, block8)
  trust = {
    minimum: 'beacon-verified',
    freshnessSeconds: 600,
    keys: {},
    beacons: { names: { [publisher.name]: 'test-beacon' }, verify: verifyBeacon },
  }
})
afterAll(async () => {
  await gateway.close()
  await second.close()
})

function open(deps: Partial<BeaconDeps> = {}) {
  const given = { source: 'test-beacon', name: publisher.name, gateways: [gateway.url], highWater: async () => null }
  return createBeaconSource({ ...given, timeoutMs: 2_000, ...deps })
}
function serve(publication: Publication, mode: Gateway['state']['mode'] = 'normal', at = gateway): void {
  at.state.current = publication
  at.state.mode = mode
}
const at = (): number => Math.floor(Date.now() / 1000)

test('gives every value of a block, each with evidence that a stranger can check', async () => {
  serve(block8)
  const samples = await open().fetch(3)
  expect(samples.map((sample) => [sample.sequence, sample.beacon?.index])).toEqual([
    ['8', 0],
    ['8', 1],
    ['8', 2],
  ])
  for (const sample of samples) {
    await expect(verifyEntropySample(sample, trust, at())).resolves.toMatchObject({ provenance: 'beacon-verified' })
  }
  const [one, two] = samples
  await expect(verifyEntropySample({ ...one!, value: two!.value }, trust, at())).rejects.toMatchObject({
    code: 'entropy_invalid',
  })
  const claim = { ...one!, provenance: 'satellite-signature-verified' as const }
  await expect(verifyEntropySample(claim, trust, at())).rejects.toMatchObject({ code: 'entropy_untrusted' })
})

test('has nothing new while the block is the one already stored', async () => {
  serve(block8)
  await expect(open({ highWater: async () => 8n }).fetch(3)).resolves.toEqual([])
})

test('refuses a beacon that was rolled back, though its old record is still valid', async () => {
  serve(block7)
  await expect(open({ highWater: async () => 8n }).fetch(3)).rejects.toMatchObject({ code: 'entropy_invalid' })
})

test('turns to the next gateway when one lags behind', async () => {
  serve(block7)
  serve(block8, 'normal', second)
  const source = open({ gateways: [gateway.url, second.url], highWater: async () => 7n })
  expect((await source.fetch(3))[0]!.sequence).toBe('8')
})

test.each([
  ['hang', 'entropy_unavailable'],
  ['half-open', 'entropy_unavailable'],
  ['error', 'entropy_unavailable'],
  ['garble', 'entropy_invalid'],
  ['oversize', 'entropy_invalid'],
  ['other-block', 'entropy_invalid'],
] as const)('a gateway in mode %s ends in %s, and the next one is asked', async (mode, code) => {
  serve(block8, mode)
  await expect(open({ timeoutMs: 300 }).fetch(3)).rejects.toMatchObject({ code })
  serve(block8, 'normal', second)
  const both = open({ gateways: [gateway.url, second.url], timeoutMs: 2_000 })
  expect(await both.fetch(3)).toHaveLength(3)
})

test('a gateway that is down is unavailable', async () => {
  await expect(open({ gateways: ['http://127.0.0.1:9'] }).fetch(1)).rejects.toMatchObject({
    code: 'entropy_unavailable',
  })
})

test('refuses a record of another name, a changed record, and an expired one', async () => {
  const foreign = await other.publish(9)
  serve(foreign)
  await expect(open().fetch(3)).rejects.toMatchObject({ code: 'entropy_invalid' })
  const record = Uint8Array.from(block8.record)
  record[record.length - 5]! ^= 1
  serve({ ...block8, record })
  await expect(open().fetch(3)).rejects.toMatchObject({ code: 'entropy_invalid' })
  serve(await publisher.publish(9, { lifetimeMs: -1000 }))
  await expect(open().fetch(3)).rejects.toMatchObject({ code: 'entropy_invalid' })
})

test.each([
  ['text', 'not json'],
  ['no data', {}],
  ['no values', { data: { sequence: 9, timestamp: 1, ctrng: [] } }],
  ['a short value', { data: { sequence: 9, timestamp: 1, ctrng: ['00'] } }],
  ['a fractional sequence', { data: { sequence: 9.5, timestamp: 1, ctrng: ['00'.repeat(32)] } }],
])('refuses a well-signed block that holds %s', async (_, body) => {
  serve(await publisher.publish(9, { body }))
  await expect(open().fetch(3)).rejects.toMatchObject({ code: 'entropy_invalid' })
})

test('a receipt’s evidence still verifies as of its time, after the record has expired', async () => {
  serve(block8)
  const [sample] = await open().fetch(3)
  await expect(verifyEntropySample(sample!, trust, at())).resolves.toBeTruthy()
  await expect(verifyBeacon(sample!.beacon!, at() + 90_000)).rejects.toMatchObject({ code: 'entropy_stale' })
  const moved = { ...sample!.beacon!, cid: block7.cid, block: Buffer.from(block7.block).toString('base64') }
  await expect(verifyBeacon(moved, at())).rejects.toMatchObject({ code: 'entropy_invalid' })
  await expect(verifyBeacon({ ...sample!.beacon!, index: 3 }, at())).rejects.toMatchObject({ code: 'entropy_invalid' })
  const renamed = { ...sample!.beacon!, name: other.name }
  await expect(verifyBeacon(renamed, at())).rejects.toMatchObject({ code: 'entropy_invalid' })
})
