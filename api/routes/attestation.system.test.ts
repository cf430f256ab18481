import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromHex } from '@perigee/core'
import { reportData, encodeCoordinatorBinding } from '@perigee/core/binding'
import type { CoordinatorAttestation } from '../../clients/snp/createCoordinatorAttestor.js'
import { createTestAttestor } from '../../tests/rigs/api/createTestAttestor.js'
import { startTestApi, type TestApi } from '../../tests/rigs/api/startTestApi.js'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ deps: { attestor: await createTestAttestor() } })
})
afterAll(() => api?.close())

const get = async (query = '') => {
  const response = await fetch(`${api.url}/health/attestation${query}`)
  return { status: response.status, body: (await response.json()) as CoordinatorAttestation & { code: string } }
}
/** REPORT_DATA is at offset 0x50 of an SNP report (AMD 56860, table "ATTESTATION_REPORT"). */
const reportDataOf = ({ report }: CoordinatorAttestation) =>
  Buffer.from(fromHex(report).subarray(0x50, 0x90)).toString('hex')

test('gives a report that binds the identity, its expiry and the nonce the caller chose', async () => {
  const nonce = 'ab'.repeat(32)
  for (const given of [nonce, `0x${nonce}`, nonce.toUpperCase()]) {
    const { status, body } = await get(`?nonce=${given}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ kind: 'sev-snp', simulated: true, nonce: `0x${nonce}` })
    const { identity, expiresAt } = body
    const expected = reportData(encodeCoordinatorBinding({ identity, nonce: `0x${nonce}`, expiresAt }))
    expect(`0x${reportDataOf(body)}`).toBe(expected)
  }
})

test('without a nonce the report in use is given again', async () => {
  const [first, second] = [await get(), await get()]
  expect(first.status).toBe(200)
  expect(second.body).toEqual(first.body)
})

test.each(['?nonce=', '?nonce=00', `?nonce=${'zz'.repeat(32)}`, `?nonce=${'00'.repeat(33)}`, '?nonce=1&nonce=2'])(
  'refuses %s',
  async (query) => {
    const { status, body } = await get(query)
    expect([status, body.code]).toEqual([400, 'invalid_request'])
  },
)
