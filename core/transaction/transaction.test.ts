import { expect, test } from 'vitest'
import { privateKeyToAccount } from 'viem/accounts'
import { parseTransaction, serializeTransaction, type Hex } from 'viem'
import { secp256k1 } from '@noble/curves/secp256k1'
import {
  parseSignature,
  parseTxMetadata,
  serializeSigned,
  serializeUnsigned,
  transactionDigest,
  transactionHash,
  verifyDigest,
  verifySigner,
  type TxMetadata,
} from './index.js'

const account = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const tx: TxMetadata = {
  chainId: 31337,
  nonce: 7,
  to: '0x00000000000000000000000000000000000000aa',
  value: '1000000000000000000',
  data: '0xdeadbeef',
  gas: '50000',
  maxFeePerGas: '2000000000',
  maxPriorityFeePerGas: '1000000000',
}
const signed = await account.signTransaction({
  type: 'eip1559',
  chainId: tx.chainId,
  nonce: tx.nonce,
  to: tx.to,
  value: BigInt(tx.value),
  data: tx.data,
  gas: BigInt(tx.gas),
  maxFeePerGas: BigInt(tx.maxFeePerGas),
  maxPriorityFeePerGas: BigInt(tx.maxPriorityFeePerGas),
})
const { r, s, yParity } = parseTransaction(signed) as { r: Hex; s: Hex; yParity: number }
const signature =
  `0x${r.slice(2).padStart(64, '0')}${s.slice(2).padStart(64, '0')}${(27 + yParity).toString(16)}` as Hex

test('gives the bytes and the hash that a wallet would broadcast', async () => {
  expect(serializeSigned(tx, signature)).toBe(signed)
  expect(transactionHash(tx, signature)).toMatch(/^0x[0-9a-f]{64}$/)
  await expect(verifySigner(tx, signature, account.address)).resolves.toBeUndefined()
})

test('recovers the fields it serialised', () => {
  expect(parseTransaction(serializeUnsigned(tx))).toMatchObject({ nonce: 7, to: tx.to, data: tx.data, chainId: 31337 })
})

test('accepts the digest of this transaction, in either letter case, and no other', () => {
  const digest = transactionDigest(tx)
  expect(() => verifyDigest(tx, digest)).not.toThrow()
  expect(() => verifyDigest(tx, `0x${digest.slice(2).toUpperCase()}`)).not.toThrow()
  const altered: Partial<Record<keyof TxMetadata, TxMetadata[keyof TxMetadata]>>[] = [
    { chainId: 1 },
    { nonce: 8 },
    { to: '0x00000000000000000000000000000000000000ab' },
    { value: '1' },
    { data: '0x' },
    { gas: '50001' },
    { maxFeePerGas: '2000000001' },
    { maxPriorityFeePerGas: '1' },
  ]
  for (const change of altered) {
    expect(() => verifyDigest({ ...tx, ...change } as TxMetadata, digest)).toThrow(
      expect.objectContaining({ code: 'digest_mismatch' }),
    )
  }
})

test('refuses a signature by somebody else', async () => {
  await expect(verifySigner(tx, signature, `0x${'11'.repeat(20)}`)).rejects.toMatchObject({ code: 'signature_invalid' })
})

test('a signature that was good for one transaction is still refused for another, and for another recovery id', async () => {
  const refused = { code: 'signature_invalid' }
  await verifySigner(tx, signature, account.address) // now its address is remembered
  await expect(verifySigner({ ...tx, nonce: 8 }, signature, account.address)).rejects.toMatchObject(refused)
  const other = (signature.slice(0, -2) + (28 - yParity).toString(16)) as Hex
  await expect(verifySigner(tx, other, account.address)).rejects.toMatchObject(refused)
})

test('refuses the high-s twin of a good signature', () => {
  const n = secp256k1.CURVE.n
  const twin = (n - BigInt(s)).toString(16).padStart(64, '0')
  const highS = `0x${signature.slice(2, 66)}${twin}${yParity === 0 ? '1c' : '1b'}`
  expect(() => parseSignature(highS)).toThrow(expect.objectContaining({ code: 'signature_invalid' }))
})

test.each([
  '0x',
  '0x00',
  'nonsense',
  signature.slice(0, -2),
  `${signature.slice(0, -2)}00`,
  `${signature.slice(0, -2)}25`,
])('refuses %s as a signature', (text) => {
  expect(() => parseSignature(text)).toThrow(expect.objectContaining({ code: 'signature_invalid' }))
})

test.each([
  [null],
  [{}],
  [{ ...tx, extra: 1 }],
  [{ ...tx, value: '01' }],
  [{ ...tx, value: '-1' }],
  [{ ...tx, value: 1 }],
  [{ ...tx, value: '1e18' }],
  [{ ...tx, value: (1n << 256n).toString() }],
  [{ ...tx, to: null }],
  [{ ...tx, to: '0x00' }],
  [{ ...tx, nonce: -1 }],
  [{ ...tx, nonce: 1.5 }],
  [{ ...tx, nonce: 2 ** 53 }],
  [{ ...tx, chainId: 0 }],
  [{ ...tx, data: '0xf' }],
  [{ ...tx, data: `0x${'00'.repeat(24_577)}` }],
])('refuses malformed fields (case %#)', (input) => {
  expect(() => parseTxMetadata(input)).toThrow(expect.objectContaining({ code: 'transaction_invalid' }))
})

test('refuses a priority fee above the fee cap, and an address with a wrong checksum, with a code', () => {
  expect(() => transactionDigest({ ...tx, maxPriorityFeePerGas: '2000000001' })).toThrow(
    expect.objectContaining({ code: 'transaction_invalid' }),
  )
  expect(() => transactionDigest({ ...tx, to: '0x70997970C51812dc3A010C7d01b50e0d17dc79c8' })).toThrow(
    expect.objectContaining({ code: 'transaction_invalid' }),
  )
})

test('agrees with viem about the empty transaction', () => {
  const empty: TxMetadata = {
    ...tx,
    nonce: 0,
    value: '0',
    data: '0x',
    gas: '0',
    maxFeePerGas: '0',
    maxPriorityFeePerGas: '0',
  }
  expect(serializeUnsigned(empty)).toBe(serializeTransaction({ type: 'eip1559', chainId: 31337, to: tx.to }))
})
