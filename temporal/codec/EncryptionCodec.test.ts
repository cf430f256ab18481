import { randomBytes } from 'node:crypto'
import { defaultPayloadConverter, type Payload } from '@temporalio/common'
import { expect, test } from 'vitest'
import { parseCodecKeys } from './codecKeys.js'
import { refusalIn } from '@perigee/core/workflow'
import { EncryptionCodec, type Foreign } from './EncryptionCodec.js'

const newKey = (id: string) => `${id}:${randomBytes(32).toString('hex')}`
const codecOf = (text: string, foreign: Foreign = 'throw') =>
  new EncryptionCodec(
    parseCodecKeys(text, (problem) => {
      throw new Error(problem)
    }),
    foreign,
  )
const [here, there] = [{ workflowId: 'receipt/a' }, { workflowId: 'receipt/b' }]
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

test('a payload belongs to one workflow, and its name there is authenticated', async () => {
  const codec = codecOf(newKey('a'))
  const [encoded] = await codec.encode([payloadOf('x')], here)
  expect((await codec.decode([encoded as Payload], here)).map(valueOf)).toEqual(['x'])
  await expect(codec.decode([encoded as Payload], there)).rejects.toThrow(/another workflow/)
  const renamed = { ...encoded?.metadata, 'encryption-workflow-id': Buffer.from(there.workflowId) }
  await expect(codec.decode([{ ...encoded, metadata: renamed }], there)).rejects.toThrow()
  const unnamed = {
    encoding: encoded?.metadata?.['encoding'],
    'encryption-key-id': encoded?.metadata?.['encryption-key-id'],
  }
  await expect(codec.decode([{ ...encoded, metadata: unnamed as Record<string, Uint8Array> }], here)).rejects.toThrow()
  const [unbound] = await codec.encode([payloadOf('x')])
  await expect(codec.decode([unbound as Payload], here)).rejects.toThrow(/another workflow/)
})

test('what is not encrypted, or for another workflow, is refused by clients, marked for workers, and shown to people', async () => {
  const key = newKey('a')
  const [elsewhere] = await codecOf(key).encode([payloadOf({ operator: 'x' })], there)
  for (const payload of [payloadOf({ operator: 'x' }), elsewhere as Payload]) {
    await expect(codecOf(key).decode([payload], here)).rejects.toThrow(/refused/)
    const [marked] = (await codecOf(key, 'mark').decode([payload], here)).map(valueOf)
    expect(refusalIn([{ operator: 'x' }, marked])).toMatch(/not encrypted|another workflow/)
    expect((await codecOf(key, 'show').decode([payload], here)).map(valueOf)).toEqual([{ operator: 'x' }])
  }
  expect(refusalIn([null, 'text', { operator: 'x' }])).toBeUndefined()
})

test('a key that is missing is an error for workers too: the run waits until an operator adds it', async () => {
  const [encoded] = await codecOf(newKey('old')).encode([payloadOf('x')], here)
  await expect(codecOf(newKey('new'), 'mark').decode([encoded as Payload], here)).rejects.toThrow(/not configured/)
})

test('wrong keys are named by their place, never by their value', () => {
  const problems: string[] = []
  parseCodecKeys(`ok:${'0'.repeat(64)},no,ok:${'1'.repeat(64)},short:abcd`, (text) => problems.push(text))
  expect(problems).toHaveLength(3)
  expect(problems.join()).not.toContain('abcd')
})
