import { describe, expect, test } from 'vitest'
import { codeOf, fixtureCases, fixtureCollateral, fixtureFile, fixturesDir } from './testing/fixtures.js'
import { parseQuoteCollateral, verifyQuote, type QuoteCollateral } from './index.js'

if (!fixturesDir) test.skip('the shared fixtures are not here: put them at ../shared/fixtures or set FIXTURES_DIR')

describe.skipIf(!fixturesDir)('real and minted quotes from the shared fixtures', () => {
  test.each(fixtureCases('tdx'))('gives the adjudicated verdict on $name', async (item) => {
    const verifying = verifyQuote(
      fixtureFile('tdx', item['quote']),
      fixtureCollateral(item['collateral']),
      fixtureFile('tdx', item['root']),
      item.nowUnix,
    )
    if (item.expect.accept) {
      const { tcbStatus, advisoryIds } = item.expect
      await expect(verifying).resolves.toMatchObject({ tcbStatus, advisoryIds, verifiedAt: item.nowUnix })
    } else {
      await expect(verifying).rejects.toMatchObject({ code: codeOf(item.expect.reason as string) })
    }
  })

  test('finds the same in collateral that carries its bytes as numbers', async () => {
    const item = fixtureCases('tdx')[0] as ReturnType<typeof fixtureCases>[number]
    const text = fixtureCollateral(item['collateral'])
    const numbers = (hex: unknown) => [...Buffer.from(hex as string, 'hex')]
    const asNumbers: QuoteCollateral = {
      ...text,
      root_ca_crl: numbers(text.root_ca_crl),
      pck_crl: numbers(text.pck_crl),
      tcb_info_signature: numbers(text.tcb_info_signature),
      qe_identity_signature: numbers(text.qe_identity_signature),
    }
    const quote = fixtureFile('tdx', item['quote'])
    const verdict = await verifyQuote(quote, asNumbers, fixtureFile('tdx', item['root']), item.nowUnix)
    expect(verdict.tcbStatus).toBe('UpToDate')
    expect(parseQuoteCollateral(asNumbers)).toEqual(parseQuoteCollateral(JSON.stringify(text)))
  })
})
