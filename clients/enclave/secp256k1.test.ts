import { randomBytes } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1'
import { recoverAddress as byViem } from 'viem/utils'
import { expect, test } from 'vitest'
import { toHex, type Hex, type ParsedSignature } from '@perigee/core'
import { addressOfPublicKey } from '@perigee/core/receipt'
import { addressOfKey, recoverAddress } from './secp256k1.js'

type Question = { hash: Hex; signature: ParsedSignature }
const answerOf = (ask: (question: Question) => Promise<string>, question: Question): Promise<string> =>
  Promise.resolve()
    .then(() => ask(question))
    .then(
      (address) => address.toLowerCase(),
      () => 'none',
    )
const same = async (question: Question): Promise<string> => {
  const mine = await answerOf(recoverAddress, question)
  expect(mine).toBe(await answerOf(byViem, question))
  return mine
}
const order = secp256k1.CURVE.n
const number = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

test('recovers what the JavaScript recovers, from good signatures and from spoiled ones', async () => {
  let none = 0
  for (let turn = 0; turn < 20; turn++) {
    const key = secp256k1.utils.randomPrivateKey()
    const hash = randomBytes(32)
    const { r, s, recovery } = secp256k1.sign(hash, key)
    const signature = { r: number(r), s: number(s), yParity: recovery as 0 | 1 }
    const publicKey = toHex(secp256k1.getPublicKey(key, true))
    expect(await same({ hash: toHex(hash), signature })).toBe(addressOfPublicKey(publicKey))
    expect(addressOfKey(publicKey)).toBe(addressOfPublicKey(publicKey))
    await same({ hash: toHex(hash), signature: { ...signature, yParity: recovery === 0 ? 1 : 0 } })
    await same({ hash: toHex(randomBytes(32)), signature })
    const strange = { ...signature, r: toHex(randomBytes(32)) } // every second one is the x of no point
    if ((await same({ hash: toHex(hash), signature: strange })) === 'none') none += 1
  }
  expect(none).toBeGreaterThan(0)
})

test.each([
  ['r is 0', { r: number(0n), s: number(1n), yParity: 0 }],
  ['s is 0', { r: number(1n), s: number(0n), yParity: 0 }],
  ['r is the order', { r: number(order), s: number(1n), yParity: 0 }],
  ['s is the order', { r: number(1n), s: number(order), yParity: 1 }],
] as [string, ParsedSignature][])('refuses a signature where %s', async (_name, signature) => {
  expect(await same({ hash: toHex(randomBytes(32)), signature })).toBe('none')
})

test('refuses what is no public key', () => {
  const point = secp256k1.getPublicKey(secp256k1.utils.randomPrivateKey(), true)
  expect(() => addressOfKey(toHex(point.subarray(1)))).toThrow()
  expect(() => addressOfKey(`0x05${toHex(point.subarray(1)).slice(2)}`)).toThrow()
  expect(() => addressOfKey(`0x02${'ff'.repeat(32)}`)).toThrow()
})
