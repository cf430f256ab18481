import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest } from '@perigee/core'
import { exampleTransaction } from '../testing/exampleTransaction.js'
import { startTestApi, type TestApi } from '../../tests/rigs/api/startTestApi.js'

/** The soft signer's wallets are sealed under version 1. */
let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ settings: { sealingVersion: 2 } })
})
afterAll(() => api.close())

const resealed = (count: number) => expect.poll(() => api.signer.calls.startResealing).toBe(count)

test('a wallet under an old sealing version is resealed when its owner signs or signs in', async () => {
  const browser = await api.signIn('old@example.test')
  await api.post(browser, '/wallet/provision')
  await resealed(0) // there was no wallet at sign-in
  const digest = transactionDigest(exampleTransaction)
  const signed = await api.post(browser, '/sign/digest', { digest, txMetadata: exampleTransaction })
  expect(signed.status).toBe(200)
  await resealed(1)
  await api.signIn('old@example.test')
  await resealed(2)
})

test('a failure to start it costs the caller nothing', async () => {
  const { temporal } = api.deps
  const { startResealing } = temporal
  temporal.startResealing = () => Promise.reject(new Error('Temporal is away'))
  const browser = await api.signIn('old@example.test')
  const next = { ...exampleTransaction, nonce: 9 }
  const signed = await api.post(browser, '/sign/digest', { digest: transactionDigest(next), txMetadata: next })
  expect(signed.status).toBe(200)
  await expect.poll(() => api.logs.join('')).toContain('the wallet was not resealed')
  temporal.startResealing = startResealing
})
