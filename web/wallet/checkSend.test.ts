import { describe, expect, test } from 'vitest'
import { checkSend } from './checkSend.js'

const to = '0x00000000000000000000000000000000000000aa'

describe('checkSend', () => {
  test('turns ether into wei exactly', () => {
    const { request, wei } = checkSend({ to, amount: '1.000000000000000001', data: '' }, null)
    expect(request).toEqual({ to, value: 1_000_000_000_000_000_001n })
    expect(wei).toBe(1_000_000_000_000_000_001n)
  })
  test('data needs no amount, and asks for an estimate of gas', () => {
    const { request } = checkSend({ to: ` ${to} `, amount: '', data: '0x1234' }, 0n)
    expect(request).toEqual({ to, value: 0n, data: '0x1234', gas: 'estimate' })
  })
  test('takes an address in its EIP-55 spelling and in small letters, and an amount of nothing', () => {
    const spelled = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    for (const one of [spelled, spelled.toLowerCase()]) {
      expect(checkSend({ to: one, amount: '0', data: '' }, 0n).errors, one).toEqual({})
    }
  })
  test.each([
    ['to', { to: '0x12', amount: '1', data: '' }],
    ['to', { to: '', amount: '1', data: '' }],
    ['to', { to: '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed', amount: '1', data: '' }], // one letter is not EIP-55’s
    ['amount', { to, amount: '', data: '' }],
    ['amount', { to, amount: '1,5', data: '' }],
    ['amount', { to, amount: '-1', data: '' }],
    ['amount', { to, amount: '0.0000000000000000001', data: '' }],
    ['amount', { to, amount: '11', data: '' }],
    ['data', { to, amount: '1', data: '0x123' }],
    ['data', { to, amount: '1', data: 'hello' }],
  ] as const)('says what is wrong with %s in %j', (field, form) => {
    const { errors, request } = checkSend(form, 10n ** 19n)
    expect(request).toBeUndefined()
    expect(Object.keys(errors)).toEqual([field])
  })
})
