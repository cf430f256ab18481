import { describe, expect, test } from 'vitest'
import { codeOf, fixtureCases, fixtureFile, fixturesDir } from '../tdx/testing/fixtures.js'
import { verifySnpReport } from './index.js'

if (!fixturesDir) test.skip('the shared fixtures are not here: put them at ../shared/fixtures or set FIXTURES_DIR')

describe.skipIf(!fixturesDir)('real and minted reports from the shared fixtures', () => {
  test.each(fixtureCases('snp'))('gives the adjudicated verdict on $name', async (item) => {
    const file = (name: string) => fixtureFile('snp', item[name])
    const evidence = {
      report: file('report'),
      vek: file('vek'),
      intermediate: file('intermediate'),
      root: file('root'),
    }
    const vmpl = item.expectVmpl ?? undefined
    const verifying = verifySnpReport(evidence, { now: item.nowUnix, ...(vmpl === undefined ? {} : { vmpl }) })
    if (item.expect.accept) await expect(verifying).resolves.toMatchObject({ verifiedAt: item.nowUnix })
    else await expect(verifying).rejects.toMatchObject({ code: codeOf(item.expect.reason as string) })
  })
})
