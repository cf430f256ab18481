import { describe, expect, test } from 'vitest'
import { canonicalJson, cidOf, verifyCid } from '../../bytes/index.js'
import { fingerprintOf, parseTrustAnchors, trustAnchorsBytes, trustAnchorsCid } from './TrustAnchors.js'
import { vendorAnchors } from './vendorAnchors.js'
import { vendorRoots } from './vendorRoots.js'

const refused = expect.objectContaining({ code: 'trust_anchors_invalid' })

describe('trust anchors', () => {
  test('built in are the vendors’ own roots, and nothing of ours', () => {
    const anchors = parseTrustAnchors(vendorAnchors())
    expect([fingerprintOf(anchors.tdxRoot)]).toEqual(vendorRoots.intel)
    expect(anchors.snpRoots.map(fingerprintOf)).toEqual(vendorRoots.amd)
    expect(anchors).toMatchObject({ simulated: false, contracts: [], releases: { contracts: [] } })
  })

  test('are named by the CID of their canonical bytes', () => {
    const anchors = vendorAnchors()
    const reordered = JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(anchors).reverse())))
    expect(trustAnchorsCid(parseTrustAnchors(reordered))).toBe(cidOf(trustAnchorsBytes(anchors)))
    expect(() => verifyCid(trustAnchorsCid(anchors), trustAnchorsBytes(anchors))).not.toThrow()
    expect(new TextDecoder().decode(trustAnchorsBytes(anchors))).toBe(canonicalJson(anchors))
  })

  test.each<[string, (anchors: ReturnType<typeof vendorAnchors>) => unknown]>([
    ['a TDX root of its own', (a) => ({ ...a, tdxRoot: '0x3000' })],
    ['an SNP root of its own', (a) => ({ ...a, snpRoots: ['0x3000'] })],
    ['simulated entropy', (a) => ({ ...a, entropy: { ...a.entropy, minimum: 'simulated' } })],
  ])('with %s must say they are simulated', (_, change) => {
    const changed = change(vendorAnchors()) as object
    expect(() => parseTrustAnchors(changed)).toThrow(refused)
    expect(parseTrustAnchors({ ...changed, simulated: true })).toMatchObject({ simulated: true })
  })

  test('may ask for owners since creation, and for nothing else by that name', () => {
    const asking = (since: string) => ({ ...vendorAnchors(), authorisation: { minimum: 'passkey-verified', since } })
    expect(parseTrustAnchors(asking('creation')).authorisation?.since).toBe('creation')
    expect(() => parseTrustAnchors(asking('upgrade'))).toThrow(refused)
  })

  test.each([null, 1, 'text', [], {}, { version: 'perigee-trust/1' }, { ...vendorAnchors(), extra: true }])(
    'refuse %j',
    (value) => {
      expect(() => parseTrustAnchors(value)).toThrow(refused)
    },
  )
})
