import { expect, test } from 'vitest'
import { EncryptionCodec, parseCodecKeys } from '../../../temporal/index.js'
import { findLeaks } from './findLeaks.js'
import { collectText } from '../readTemporal.js'

const needles = { 'an e-mail': 'ada@example.test', 'a key': `0x${'ab'.repeat(32)}` }

test('finds a secret as it is, in a URL, without 0x and in base64', () => {
  for (const text of ['ada@example.test', 'ada%40example.test', Buffer.from('ada@example.test').toString('base64')]) {
    expect(findLeaks('log', `before ${text} after`, needles)).toEqual([{ where: 'log', what: 'an e-mail' }])
  }
  expect(findLeaks('log', 'ab'.repeat(32), needles)).toEqual([{ where: 'log', what: 'a key' }])
  expect(findLeaks('log', 'ada at example.test', needles)).toEqual([])
})

test.each([
  ['a private key in PEM', '-----BEGIN EC PRIVATE KEY-----'],
  ['a signed token', 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlc2ln'],
  ['a sealed session', 'cookie Fe26.2*1*abc'],
])('finds %s by its shape', (what, text) => {
  expect(findLeaks('log', text, {})).toEqual([{ where: 'log', what }])
})

test('looks inside encrypted payloads of a history, and at what is beside them', async () => {
  const codec = new EncryptionCodec(
    parseCodecKeys(`k:${'11'.repeat(32)}`, () => undefined),
    'show',
  )
  const plain = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('"ada@example.test"') }
  const [payload] = await codec.encode([plain])
  const read = async (event: unknown) => {
    const texts: string[] = []
    await collectText([event], codec, texts)
    return findLeaks('history', texts.join('\n'), needles)
  }
  expect(await read({ attributes: { input: { payloads: [payload] } } })).toHaveLength(1)
  expect(await read({ attributes: { workflowId: 'sign/ada@example.test' } })).toHaveLength(1)
  expect(await read({ header: { fields: { 'ada@example.test': null } } })).toHaveLength(1)
  expect(await read({ attributes: { workflowId: 'sign/1' } })).toEqual([])
})
