import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromiumMissing, findChromium, launchChromium } from '../harness/chromium.js'
import { describeFailedProofs } from './site/failedProofs.js'
import { describeNewcomer } from './site/newcomer.js'
import { startSite, type Site } from './site/startSite.js'
import { describeStranger } from './site/stranger.js'
import { createVisits } from './site/visits.js'

// The pages as production serves them, in a real browser, on everything that `npm start` starts.
const executable = findChromium()

describe.skipIf(!executable)(`the pages on the real stack${executable ? '' : ` (${chromiumMissing})`}`, () => {
  let site: Site
  let browser: Browser
  const visits = createVisits(
    () => browser,
    () => site,
  )

  beforeAll(async () => {
    ;[site, browser] = await Promise.all([startSite(), launchChromium(executable as string)])
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })
  afterEach(async () => {
    site.ipfs.set('none')
    site.gateway.set('none')
    visits.expectNoProblems()
    for (const context of browser.contexts()) await context.close()
  })

  describeNewcomer(() => site, visits)
  describeStranger(() => site, visits)
  describeFailedProofs(() => site, visits)

  test('the policy allows no inline script and no third party, and no page asked any', async () => {
    const policy = (await fetch(`${site.url}/p/any`)).headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`script-src 'self';`)
    expect(policy).not.toMatch(/unsafe|\*/)
    const { apiUrl, rpcUrl, webUrl } = site.stack
    const known = [apiUrl, rpcUrl, webUrl, site.gateway.url].map((url) => new URL(url).origin)
    const provider = new URL((await fetch(`${apiUrl}/auth/dev`, { redirect: 'manual' })).headers.get('location') ?? '')
    expect(visits.askedOrigins().filter((origin) => ![...known, provider.origin].includes(origin))).toEqual([])
    for (const origin of known) expect(policy, origin).toContain(origin === new URL(webUrl).origin ? `'self'` : origin)
  })
})
