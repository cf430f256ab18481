import { describe, expect, test } from 'vitest'
import { createTdxCases } from './testing/tdxCases.js'
import { parseQuote, verifyQuote } from './index.js'

const cases = await createTdxCases()

describe('verifyQuote', () => {
  test.each(cases.filter(({ expect: wanted }) => 'tcbStatus' in wanted))('accepts $name', async (item) => {
    const verdict = await verifyQuote(item.quote, item.collateral, item.root, item.now)
    expect(verdict).toMatchObject(item.expect)
  })

  test.each(cases.filter(({ expect: wanted }) => 'code' in wanted))('refuses $name', async (item) => {
    await expect(verifyQuote(item.quote, item.collateral, item.root, item.now)).rejects.toMatchObject(item.expect)
  })

  test('checks the time again although everything else is remembered', async () => {
    const { quote, collateral, root, now } = cases[0] as (typeof cases)[number]
    const { collateralExpiresAt } = await verifyQuote(quote, collateral, root, now)
    await expect(verifyQuote(quote, collateral, root, collateralExpiresAt - 1)).resolves.toBeDefined()
    await expect(verifyQuote(quote, collateral, root, collateralExpiresAt)).rejects.toMatchObject({
      code: 'collateral_expired',
    })
  })

  test('does not let a quote that was verified under one root pass under another', async () => {
    const { quote, collateral, now } = cases[0] as (typeof cases)[number]
    const other = cases.find(({ name }) => name === 'an expired root') as (typeof cases)[number]
    await expect(verifyQuote(quote, collateral, other.root, now)).rejects.toMatchObject({ code: 'cert_expired' })
  })
})

test('parseQuote tells which collateral a quote needs', () => {
  const { quote } = cases[0] as (typeof cases)[number]
  expect(parseQuote(quote)).toMatchObject({ quoteVersion: 4, fmspc: '0x00de50000000', ca: 'platform', pceId: '0x0000' })
  expect(parseQuote(quote).pckChain).toHaveLength(3)
})
