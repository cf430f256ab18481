import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimsOf, parseEmail, subjectOf } from './account.js'
import { parseConfig } from './config.js'
import { signInPage } from './signInPage.js'
import { startIdentityProvider } from './startIdentityProvider.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perigee-idp-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the same address is always the same person, however it is written', () => {
  const subject = subjectOf(parseEmail(' Ada.Lovelace@Example.test ') ?? '')
  expect(subject).toBe(subjectOf('ada.lovelace@example.test'))
  expect(claimsOf(subject)).toEqual({
    sub: subject,
    email: 'ada.lovelace@example.test',
    email_verified: true,
    name: 'Ada Lovelace',
  })
  expect(claimsOf('someone-else')).toBeUndefined()
})

test.each(['', 'a', 'a@', '@b', 'a b@c', 'a@b@c', '<a>@b', undefined, ['a@b']])('%j is no address', (text) => {
  expect(parseEmail(text)).toBeNull()
})

test('keeps its key and its client over a restart', async () => {
  const start = () => startIdentityProvider({ port: 0, folder, redirectUris: ['http://localhost:1/callback'] })
  const keysOf = async (issuer: string) => (await (await fetch(`${issuer}/jwks`)).json()) as { keys: object[] }
  const first = await start()
  const keys = await keysOf(first.issuer)
  await first.close()
  const second = await start()
  expect(second.client).toEqual(first.client)
  expect(await keysOf(second.issuer)).toEqual(keys)
  expect(JSON.stringify(keys)).not.toContain('"d":')
  await second.close()
})

test('the page shows what was typed, harmlessly', () => {
  expect(signInPage('/x', '"><script>', 'no')).not.toContain('<script>')
})

test('names every wrong variable', () => {
  expect(() => parseConfig({ IDENTITY_PROVIDER_PORT: 'x' })).toThrow(
    /IDENTITY_PROVIDER_PORT[^]*IDENTITY_PROVIDER_DIR[^]*IDENTITY_PROVIDER_REDIRECT_URIS/,
  )
})
