import { afterEach, expect, test } from 'vitest'
import { startInMemoryService, testClient, type InMemoryService } from './index.js'

let service: InMemoryService
afterEach(() => service.close())

const withHeaders =
  (headers: Record<string, string>): typeof fetch =>
  (input, init) =>
    fetch(input, { ...init, headers: { ...init?.headers, ...headers } })

test('an unsafe request without an Origin header is refused, as by the real service; others are not', async () => {
  service = await startInMemoryService()
  const cookie = service.signIn('ada@example.test')
  const script = testClient(service, null, { fetch: withHeaders({ cookie }) })
  const refused = { code: 'origin_not_allowed', status: 403 }
  await expect(script.api.provisionWallet()).rejects.toMatchObject(refused)
  await expect(script.api.logout()).rejects.toMatchObject(refused)
  expect(await script.api.me()).toMatchObject({ email: 'ada@example.test' })
  const page = testClient(service, null, { fetch: withHeaders({ cookie, origin: 'https://any.example' }) })
  expect(await page.api.provisionWallet()).toMatchObject({ address: expect.stringMatching(/^0x/) })
})

test('a test client sends an origin of the allow-list', async () => {
  service = await startInMemoryService({ origins: ['https://app.example'] })
  expect(service.origin).toBe('https://app.example')
  expect(await testClient(service).api.provisionWallet()).toMatchObject({ address: expect.stringMatching(/^0x/) })
})
