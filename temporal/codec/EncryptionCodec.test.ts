import { randomBytes } from 'node:crypto'
import { defaultPayloadConverter, type Payload } from '@temporalio/common'
import { expect, test } from 'vitest'
import { parseCodecKeys } from './codecKeys.js'
import { EncryptionCodec } from './EncryptionCodec.js'

const newKey = (id: string) => `${id}:${randomBytes(32).toString('hex')}`
const codecOf = (text: string) =>
  new EncryptionCodec(
    parseCodecKeys(text, (problem) => {
      throw new Error(problem)
    }),
  )
const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value)
const valueOf = (payload: Payload | undefined): unknown => defaultPayloadConverter.fromPayload(payload as Payload)

test('what is encoded can be decoded, and cannot be read in between', async () => {
  const codec = codecOf(newKey('a'))
  const [encoded] = await codec.encode([payloadOf({ secret: 'digest and signature' })])
  expect(Buffer.from(encoded?.data ?? []).toString('latin1')).not.toContain('digest')
  const [decoded] = await codec.decode([encoded as Payload])
  expect(valueOf(decoded)).toEqual({ secret: 'digest and signature' })
})

test('the same payload never looks the same twice', async () => {
  const codec = codecOf(newKey('a'))
  const [one, two] = await codec.encode([payloadOf(1), payloadOf(1)])
  expect(one?.data).not.toEqual(two?.data)
})

test('after a rotation the new key encrypts, and what the old key encrypted is still read', async () => {
  const [old, next] = [newKey('2026-01'), newKey('2026-02')]
  const [before] = await codecOf(old).encode([payloadOf('before')])
  const rotated = codecOf(`${next},${old}`)
  const [after] = await rotated.encode([payloadOf('after')])
  expect(Buffer.from(after?.metadata?.['encryption-key-id'] ?? []).toString()).toBe('2026-02')
  expect((await rotated.decode([before as Payload, after as Payload])).map(valueOf)).toEqual(['before', 'after'])
})

test('a payload of an unknown key, one that was changed, and one under another key’s name are refused', async () => {
  const [a, b] = [newKey('a'), newKey('b')]
  const codec = codecOf(`${a},${b}`)
  const [encoded] = await codec.encode([payloadOf('x')])
  await expect(codecOf(newKey('c')).decode([encoded as Payload])).rejects.toThrow(/not configured/)
  const changed = Uint8Array.from(encoded?.data ?? [])
  changed[20] = (changed[20] ?? 0) ^ 1
  await expect(codec.decode([{ ...encoded, data: changed }])).rejects.toThrow()
  const renamed = { ...encoded?.metadata, 'encryption-key-id': Buffer.from('b') }
  await expect(codec.decode([{ ...encoded, metadata: renamed }])).rejects.toThrow()
})

test('a payload that is not encrypted passes: an operator’s CLI sends plain JSON', async () => {
  expect((await codecOf(newKey('a')).decode([payloadOf({ operator: 'x' })])).map(valueOf)).toEqual([{ operator: 'x' }])
})

test('wrong keys are named by their place, never by their value', () => {
  const problems: string[] = []
  parseCodecKeys(`ok:${'0'.repeat(64)},no,ok:${'1'.repeat(64)},short:abcd`, (text) => problems.push(text))
  expect(problems).toHaveLength(3)
  expect(problems.join()).not.toContain('abcd')
})
