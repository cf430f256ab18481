import { hashMessage, parseGwei, serializeTransaction, toRlp } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { concatBytes, fromHex, toHex, type Hex } from '../bytes/index.js'
import { createRandom } from '../../tests/createRandom.js'
import { maxMessageBytes, messageCommitment, parseMessage, requestHash } from './index.js'
import { codeOf, hexOfText } from './testing/texts.js'

const personal = (message: unknown) => parseMessage({ scheme: 'eip191', message })

test('viem gives the same digest for 500 random messages', () => {
  const random = createRandom(25)
  for (let i = 0; i < 500; i++) {
    const raw = toHex(random.bytes(random.pick([0, 1, 5, 31, 33, 55, 100, 1000])))
    const code = codeOf(() => personal(raw))
    if (code === 'accepted') expect(personal(raw).digest).toBe(hashMessage({ raw }))
    else expect(code).toBe('message_is_transaction')
  }
  expect(personal(hexOfText('zwei 🚀')).digest).toBe(hashMessage('zwei 🚀'))
})

test('text is told from bytes', () => {
  expect(personal(hexOfText('Line one\nline two')).text).toBe('Line one\nline two')
  expect(personal('0xff00').text).toBeNull()
  expect(personal(hexOfText('zero \0 inside')).text).toBeNull()
})

const account = privateKeyToAccount(generatePrivateKey())
const fees = { maxFeePerGas: parseGwei('2'), maxPriorityFeePerGas: 1n }
const common = { chainId: 31337, nonce: 3, to: account.address, value: 1n, gas: 21_000n }
const authorisation = () => concatBytes(Uint8Array.of(5), fromHex(toRlp(['0x01', account.address, '0x07'])))
const forms: [string, () => Promise<Hex> | Hex][] = [
  ['an unsigned legacy transaction', () => serializeTransaction({ ...common, type: 'legacy', gasPrice: 1n })],
  ['a signed legacy transaction', () => account.signTransaction({ ...common, type: 'legacy', gasPrice: 1n })],
  ['an EIP-2930 transaction', () => serializeTransaction({ ...common, type: 'eip2930', gasPrice: 1n })],
  ['an EIP-1559 transaction', () => serializeTransaction({ ...common, ...fees, type: 'eip1559' })],
  ['a signed EIP-1559 transaction', () => account.signTransaction({ ...common, ...fees, type: 'eip1559' })],
  ['a long EIP-1559 transaction', () => serializeTransaction({ ...common, ...fees, type: 'eip1559', data: `0x${'5a'.repeat(300)}` })], // prettier-ignore
  ['a blob transaction', () => serializeTransaction({ ...common, ...fees, type: 'eip4844', maxFeePerBlobGas: 1n, blobVersionedHashes: [`0x01${'00'.repeat(31)}`] })], // prettier-ignore
  [
    'an EIP-7702 transaction',
    () => serializeTransaction({ ...common, ...fees, type: 'eip7702', authorizationList: [] }),
  ],
  ['an EIP-7702 authorisation', () => toHex(authorisation())],
]

test.each(forms)('refuses %s, as bytes and as hex in text', async (_, make) => {
  const serialized = await make()
  expect(codeOf(() => personal(serialized))).toBe('message_is_transaction')
  expect(codeOf(() => personal(hexOfText(serialized)))).toBe('message_is_transaction')
  expect(codeOf(() => personal(hexOfText(` ${serialized.slice(2).toUpperCase()}\n`)))).toBe('message_is_transaction')
})

test.each<[string, string, unknown]>([
  ['a hash', 'message_is_hash', { scheme: 'eip191', message: `0x${'f0'.repeat(32)}` }],
  ['a raw hash by its own scheme', 'message_scheme_unsupported', { scheme: 'hash', message: '0x00' }],
  ['an EIP-7702 scheme', 'message_scheme_unsupported', { scheme: 'eip7702' }],
  ['a scheme of Object.prototype', 'message_scheme_unsupported', { scheme: 'toString' }],
  ['no scheme', 'message_scheme_unsupported', {}],
  ['a list', 'message_invalid', []],
  ['both contents', 'message_invalid', { scheme: 'eip191', message: '0x', typedData: {} }],
  ['no content', 'message_invalid', { scheme: 'eip712' }],
  ['a digest beside the content', 'message_invalid', { scheme: 'eip191', message: '0x', digest: '0x' }],
  ['text that is not hex', 'message_invalid', { scheme: 'eip191', message: 'hello' }],
  ['half a byte', 'message_invalid', { scheme: 'eip191', message: '0x0' }],
  ['more than 64 kB', 'message_too_large', { scheme: 'eip191', message: `0x${'61'.repeat(maxMessageBytes + 1)}` }],
])('refuses %s: %s', (_, code, input) => {
  expect(codeOf(() => parseMessage(input))).toBe(code)
})

test('a hash written as hex is a text, and signed as that', () => {
  for (const text of ['f0'.repeat(32), `0x${'F0'.repeat(32)}`]) {
    expect(personal(hexOfText(text))).toMatchObject({ text, digest: hashMessage(text) })
  }
})

test('says why raw hashes and EIP-7702 are refused', () => {
  expect(() => parseMessage({ scheme: 'hash' })).toThrow('nobody could tell what it stands for')
  expect(() => parseMessage({ scheme: 'eip7702' })).toThrow('hand over the whole account')
})

test('32 bytes of text are a message', () => {
  expect(personal(hexOfText('a sentence of thirty-two letters')).text).toHaveLength(32)
})

test('a commitment changes with each thing that it covers', () => {
  const hex = (byte: string, length: number) => `0x${byte.repeat(length)}` as Hex
  const hidden = { scheme: 'eip191', digest: hex('11', 32), salt: hex('22', 32) } as const
  const signature = hex('33', 65)
  const all = [
    requestHash(hidden),
    requestHash({ ...hidden, scheme: 'eip712' }),
    requestHash({ ...hidden, digest: hex('12', 32) }),
    requestHash({ ...hidden, salt: hex('23', 32) }),
    messageCommitment(hidden, signature),
    messageCommitment({ ...hidden, scheme: 'eip712' }, signature),
    messageCommitment({ ...hidden, digest: hex('12', 32) }, signature),
    messageCommitment({ ...hidden, salt: hex('23', 32) }, signature),
    messageCommitment(hidden, hex('34', 65)),
  ]
  expect(new Set(all).size).toBe(all.length)
  // Pinned: receipts and statements bind these bytes.
  expect([all[0], all[4]]).toMatchInlineSnapshot(`
    [
      "0x4e69db51425a9f940aef6c0a64353784c93ff4ce660dc1bd216e8c0bb902b35f",
      "0x1035a6d3d512ad660edaa7590ba00758a0c29aa237466cc326c74d35e77a803e",
    ]
  `)
})
