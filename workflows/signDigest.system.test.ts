import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest, verifySigner } from '@perigee/core'
import { findWalletByUser, getProof } from '../database/index.js'
import { newTransaction } from '../enclave/testing/createTestWorld.js'
import { startService, type TestService } from '../workers/testing/startService.js'

let service: TestService

beforeAll(async () => {
  service = await startService()
  await service.startWorkers()
})
afterAll(() => service.close())

test('from a new user to a complete proof', async () => {
  const userId = await service.newUser()
  const { walletId, address } = await service.temporal.provisionWallet(userId)
  expect(await findWalletByUser(service.database, userId)).toMatchObject({ id: walletId, address, quoteVerified: true })

  const transaction = newTransaction()
  const digest = transactionDigest(transaction)
  const { signature, slug } = await service.temporal.signDigest({ walletId, digest, transaction })
  await verifySigner(transaction, signature, address)
  expect(Buffer.from(slug, 'base64url').length).toBeGreaterThanOrEqual(16)

  expect(await service.client.workflow.getHandle(`receipt/${slug}`).result()).toBe('complete')
  const proof = await getProof(service.database, slug)
  expect(proof).toMatchObject({ status: 'complete', walletAddress: address, kmsQuoteVerified: true })
  expect(proof?.receipt).toMatchObject({ simulated: true, transaction: { signature, digest } })
})
