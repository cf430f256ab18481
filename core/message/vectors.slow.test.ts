import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Hex } from '../bytes/index.js'
import { fixturesDir } from '../tdx/testing/fixtures.js'
import { isAddress } from './checksum.js'
import { checksumAddress, parseMessage } from './index.js'
import { codeOf, hexOfText } from './testing/texts.js'

if (!fixturesDir) test.skip('the shared fixtures are not here: put them at ../shared/fixtures or set FIXTURES_DIR')

describe.skipIf(!fixturesDir)('vectors of ethers', () => {
  const read = <T>(name: string) =>
    JSON.parse(gunzipSync(readFileSync(join(fixturesDir as string, 'vectors', name))).toString()) as T

  test('every account has the checksum that we compute', () => {
    const accounts = read<{ address: Hex }[]>('accounts.json.gz')
    const wrong = accounts.filter(({ address }) => checksumAddress(address) !== address || !isAddress(address))
    expect(accounts.length).toBeGreaterThan(100)
    expect(wrong).toEqual([])
  })

  test('every serialized transaction is refused as a message', () => {
    const forms = read<Record<string, unknown>[]>('transactions.json.gz').flatMap((one) =>
      Object.entries(one).flatMap(
        ([name, value]) => (/^(?:un)?signed/.test(name) && value !== '' ? [value as Hex] : []), // empty where there is no such form
      ),
    )
    const refused = (message: Hex) => codeOf(() => parseMessage({ scheme: 'eip191', message }))
    const passed = forms.filter((form) => refused(form) !== 'message_is_transaction')
    const passedAsText = forms.filter((form, i) => i % 4 === 0 && refused(hexOfText(form)) !== 'message_is_transaction')
    expect(forms.length).toBe(25_856)
    expect([passed.length, passedAsText.length]).toEqual([0, 0])
  })
})
