import { p256 } from '@noble/curves/p256'
import { hkdfSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { isP256Signed } from '../../core/authorisation/p256.js'
import { zeroAddress, zeroHash } from 'viem'
import { hexOf, intentChallenge } from './encode.js'
import { isScalar, publicPoint } from './p256.js'
import { approveByCode, createRecoveryCode, parseCode, printCode } from './recoveryCode.js'

const matter = { kind: 'owners', address: zeroAddress, ownersHash: zeroHash, chainId: 0, digest: zeroHash } as const

test('a code is seven groups, and reads back as typed by a person', async () => {
  const { code } = await createRecoveryCode()
  expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{2}[0-9A-HJKMNP-TV-Z*~$=U]$/)
  const bytes = parseCode(code)
  expect(printCode(bytes)).toBe(code)
  expect(parseCode(` ${code.toLowerCase().replaceAll('-', ' ')} `)).toEqual(bytes)
  expect(parseCode(code.replaceAll('0', 'o').replaceAll('1', 'l'))).toEqual(bytes)
  expect(printCode(new Uint8Array(16))).toBe('0000-0000-0000-0000-0000-0000-000')
  expect(parseCode(printCode(new Uint8Array(16).fill(255)))).toEqual(new Uint8Array(16).fill(255))
})

test('every single wrong character and every swap of two neighbours is noticed', async () => {
  const { code } = await createRecoveryCode()
  const text = code.replaceAll('-', '')
  for (let i = 0; i < text.length; i++) {
    for (const other of '0123456789ABCDEFGHJKMNPQRSTVWXYZ') {
      if (other === text[i]) continue
      const wrong = text.slice(0, i) + other + text.slice(i + 1)
      expect(() => parseCode(wrong), wrong).toThrow(expect.objectContaining({ code: 'recovery_code_invalid' }))
    }
    const [a, b] = [text[i], text[i + 1]]
    if (b === undefined || a === b) continue
    expect(() => parseCode(text.slice(0, i) + b + a + text.slice(i + 2))).toThrow()
  }
  for (const wrong of ['', '0', text.slice(1), `${text}0`, text.slice(0, -1)]) expect(() => parseCode(wrong)).toThrow()
})

test('the key of a code is HKDF-SHA256 of its 16 bytes, and its signature is accepted by core', async () => {
  const { code, publicKey } = await createRecoveryCode()
  const scalar = Buffer.from(hkdfSync('sha256', parseCode(code), 'perigee.recovery.v1', '', 32))
  expect(publicKey).toBe(hexOf(p256.getPublicKey(scalar, true)))
  const { signature, validUntil, salt } = await approveByCode(code, matter, publicKey)
  const challenge = intentChallenge({ ...matter, validUntil, salt })
  expect(await isP256Signed(publicKey, challenge, Buffer.from(signature.slice(2), 'hex'))).toBe(true)
})

test('a code of another wallet is refused before anything is asked', async () => {
  const [mine, other] = [await createRecoveryCode(), await createRecoveryCode()]
  const refused = approveByCode(other.code, matter, mine.publicKey)
  await expect(refused).rejects.toMatchObject({ code: 'recovery_code_invalid' })
})

test('public keys are those of noble, at the edges too', () => {
  const order = p256.CURVE.n
  const scalars = [1n, 2n, 3n, 4n, order - 1n, order - 2n, order >> 1n]
  for (let i = 0; i < 30; i++) scalars.push(BigInt(hexOf(p256.utils.randomPrivateKey())))
  for (const scalar of scalars) {
    const { x, y } = p256.ProjectivePoint.BASE.multiply(scalar).toAffine()
    expect(publicPoint(scalar)).toEqual({ x, y })
  }
  expect([0n, order, order + 1n].map(isScalar)).toEqual([false, false, false])
})
