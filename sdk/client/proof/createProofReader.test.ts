import { afterEach, beforeEach, expect, test } from 'vitest'
import { fundedClient, startInMemoryService, type InMemoryService } from '../../testing/index.js'
import { createProofReader } from './createProofReader.js'

let service: InMemoryService
beforeEach(async () => {
  service = await startInMemoryService({ publishing: 'manual' })
})
afterEach(() => service.close())

test('reads and follows a proof without a session', async () => {
  const { client, wallet } = await fundedClient(service)
  const { attestationSlug: slug, txHash } = await client.signAndSend({ to: wallet.address })
  const reader = createProofReader({ apiBaseUrl: `${service.url}/` })
  expect(await reader.getProof(slug)).toMatchObject({ status: 'pending_pin', txHash })
  await service.complete(slug)
  expect((await reader.waitForProof(slug)).status).toBe('complete')
  await expect(reader.waitForProof('nothing')).rejects.toMatchObject({ code: 'proof_not_found' })
})
