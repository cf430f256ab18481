import { afterEach, expect, test } from 'vitest'
import { describeInChromium } from '../harness/browser/chromium.js'
import { describeFailedProofs } from './site/failedProofs.js'
import { describeNewcomer } from './site/newcomer.js'
import { describePasskeys } from './site/passkeys.js'
import type { Site } from './site/startSite.js'
import { describeStranger } from './site/stranger.js'
import { createVisits } from './site/visits.js'

/** The pages as production serves them, in a real browser, on everything that `npm start` starts. */
export function describePages(site: () => Site): void {
  describeInChromium('the pages on the real stack', (browser) => {
    const visits = createVisits(browser, site)

    afterEach(async () => {
      site().ipfs.set('none')
      site().gateway.set('none')
      await visits.closeAll()
    })

    describeNewcomer(site, visits)
    describePasskeys(site, visits)
    describeStranger(site, visits)
    describeFailedProofs(site, visits)

    test('the policy allows no inline script and no third party, and no page asked any', async () => {
      const policy = (await fetch(`${site().url}/p/any`)).headers.get('content-security-policy') ?? ''
      expect(policy).toContain(`script-src 'self';`)
      expect(policy).not.toMatch(/unsafe|\*/)
      const { apiUrl, rpcUrl, webUrl } = site().stack
      const known = [apiUrl, rpcUrl, webUrl, site().gateway.url].map((url) => new URL(url).origin)
      const provider = new URL(
        (await fetch(`${apiUrl}/auth/dev`, { redirect: 'manual' })).headers.get('location') ?? '',
      )
      expect(visits.askedOrigins().filter((origin) => ![...known, provider.origin].includes(origin))).toEqual([])
      for (const origin of known)
        expect(policy, origin).toContain(origin === new URL(webUrl).origin ? `'self'` : origin)
    })
  })
}
