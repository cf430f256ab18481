import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startOwned } from '../passkeys/testing/startOwned.js'
import type { Hex, SignProgress } from '../types.js'
import type { ServiceClient } from './ServiceClient.js'

const to = '0x00000000000000000000000000000000000000aa'
let page: Awaited<ReturnType<typeof startOwned>>
beforeEach(async () => {
  page = await startOwned()
})
afterEach(() => page.close())

/** A wallet made with a passkey on the device at hand. */
async function owned(client: ServiceClient = page.client()) {
  const enrolled = await client.owners.enrol({ label: 'Laptop' })
  page.fund(enrolled.owners.address)
  return { client, ...enrolled, recoveryCode: enrolled.recoveryCode ?? '' }
}

describe('enrol', () => {
  test('makes a passkey and the wallet with it: two prompts, one request, since creation', async () => {
    const { owners, recoveryCode } = await owned()
    expect(page.authenticators.prompts).toEqual(['create', 'get'])
    expect(page.verified).toEqual(['/wallet/provision'])
    expect(owners).toMatchObject({ since: 'creation', owners: { sequence: 0, previous: null } })
    expect(owners.credentials).toEqual([
      {
        publicKey: expect.stringMatching(/^0x0[23]/),
        id: expect.any(String),
        label: 'Laptop',
        addedAt: expect.any(String),
      },
    ])
    expect(owners.owners?.credentials[0]).toMatchObject({ rpId: 'localhost', origins: ['http://localhost:3000'] })
    expect(owners.owners?.recovery?.kind).toBe('code')
    expect(recoveryCode.length).toBe(33)
  })
  test('claims a wallet that was made without one, which then says upgrade', async () => {
    const client = page.client()
    const { address } = await client.api.provisionWallet()
    const { owners, recoveryCode } = await client.owners.enrol({ recovery: false })
    expect(owners).toMatchObject({ address, since: 'upgrade', owners: { recovery: null } })
    expect(recoveryCode).toBeNull()
    expect(page.verified).toEqual(['/wallet/owners'])
  })
  test('with required a wallet that was made without one is claimed only when that is asked for', async () => {
    const client = page.client('ada@example.test', { authorisation: 'required' })
    const { address } = await client.api.provisionWallet() // as a stranger's link to the sign-in does
    await expect(client.owners.enrol()).rejects.toMatchObject({
      code: 'wallet_exists',
      remedy: expect.stringContaining('claim'),
      recoveryCode: null,
    })
    expect(page.authenticators.prompts).toEqual([])
    const { owners } = await client.owners.enrol({ claim: true })
    expect(owners).toMatchObject({ address, since: 'upgrade' })
  })
  test('a second time is refused without a prompt', async () => {
    const { client } = await owned()
    await expect(client.owners.enrol()).rejects.toMatchObject({ code: 'owners_changed' })
    expect(page.authenticators.prompts).toHaveLength(2)
  })
  test('a wallet that was made meanwhile without the passkey is not taken for an owned one', async () => {
    const [client, other] = [page.client(), page.client()]
    const create = navigator.credentials.create
    navigator.credentials.create = async (options) => {
      await other.api.provisionWallet()
      return create(options)
    }
    await expect(client.owners.enrol()).rejects.toMatchObject({ code: 'owners_changed' })
  })
  test('rpId of the configuration is used', async () => {
    const client = page.client('ada@example.test', { rpId: 'example.test' })
    page.authenticators.install()
    vi.stubGlobal('location', { hostname: 'app.example.test', origin: 'https://app.example.test' })
    await expect(client.owners.enrol()).rejects.toThrow() // the soft passkey signs for its own page only
    expect(page.authenticators.device().passkeys[0]?.passkey.credential.rpId).toBe('example.test')
  })
})

describe('signing', () => {
  test('signAndSend prompts when the wallet has owners, and says authorising', async () => {
    const { client } = await owned()
    const steps: SignProgress['step'][] = []
    await client.signAndSend({ to, value: 5n }, { onProgress: ({ step }) => steps.push(step) })
    expect(steps).toEqual(['preparing', 'authorising', 'signing', 'broadcasting', 'sent'])
    expect(page.service.balance(to)).toBe(5n)
    expect(page.verified).toEqual(['/wallet/provision', '/sign/digest'])
  })
  test('a wallet without owners signs without a prompt', async () => {
    const client = page.client()
    page.fund((await client.api.provisionWallet()).address)
    await client.signAndSend({ to, value: 5n })
    expect(page.authenticators.prompts).toEqual([])
  })
  test('with off nothing prompts: a wallet with owners gives authorisation_required', async () => {
    await owned()
    const client = page.client('ada@example.test', { authorisation: 'off' })
    page.authenticators.prompts.length = 0
    await expect(client.signAndSend({ to })).rejects.toMatchObject({ code: 'authorisation_required', status: 403 })
    await expect(client.owners.addDevice()).rejects.toMatchObject({ code: 'authorisation_required' })
    expect(page.authenticators.prompts).toEqual([])
  })
  test('with required a wallet without owners signs nothing', async () => {
    const client = page.client('ada@example.test', { authorisation: 'required' })
    await client.api.provisionWallet()
    await expect(client.signAndSend({ to })).rejects.toMatchObject({
      code: 'authorisation_required',
      remedy: expect.stringContaining('enrol'),
    })
    expect(page.service.requests).not.toContain('POST /sign/digest')
  })
  test('with required the sign-in asks that no wallet be made', () => {
    const client = page.client('ada@example.test', { authorisation: 'required' })
    expect(client.loginUrl()).toBe(`${page.service.url}/auth/google?authorisation=required`)
    expect(client.loginUrl('http://a.test/')).toMatch(/\?return_to=http%3A%2F%2Fa.test%2F&authorisation=required$/)
    expect(page.client().loginUrl()).toBe(`${page.service.url}/auth/google`)
  })
})

describe('what can go wrong', () => {
  const refused = (work: Promise<unknown>, code: string) =>
    expect(work).rejects.toMatchObject({ name: 'ServiceError', code, remedy: expect.stringMatching(/^[A-Z].+\.$/) })

  test('a declined prompt is authorisation_declined, and nothing is asked of the service', async () => {
    const { client } = await owned()
    page.authenticators.device().declines = true
    await refused(client.signAndSend({ to }), 'authorisation_declined')
    expect(page.service.requests).not.toContain('POST /sign/digest')
  })
  test('a declined prompt for a new passkey does not ask for a device that has one', async () => {
    const client = page.client()
    await client.api.provisionWallet()
    page.authenticators.device().declines = true
    await expect(client.owners.enrol()).rejects.toMatchObject({ code: 'authorisation_declined', remedy: 'Try again.' })
  })
  test('a device without the passkey is authorisation_declined: browsers do not tell the difference', async () => {
    const { client } = await owned()
    page.authenticators.use(page.authenticators.addDevice())
    await refused(client.signAndSend({ to }), 'authorisation_declined')
  })
  test('another page is passkey_unknown, without a prompt', async () => {
    const { client } = await owned()
    vi.stubGlobal('location', { hostname: 'localhost', origin: 'http://localhost:9999' })
    page.authenticators.prompts.length = 0
    await refused(client.signAndSend({ to }), 'passkey_unknown')
    expect(page.authenticators.prompts).toEqual([])
  })
  test('a passkey that answers though it was not asked for is passkey_unknown', async () => {
    const { client } = await owned()
    const { get } = navigator.credentials
    navigator.credentials.get = async (options) => Object.assign(Object((await get(options)) ?? {}), { id: 'other' })
    await refused(client.signAndSend({ to }), 'passkey_unknown')
  })
  test('a prompt that was open for too long is authorisation_expired', async () => {
    const { client } = await owned()
    const { get } = navigator.credentials
    navigator.credentials.get = async (options) => {
      const answer = await get(options)
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 301_000)
      return answer
    }
    await refused(client.signAndSend({ to }), 'authorisation_expired')
    vi.restoreAllMocks()
  })
  test.each([
    ['NotSupportedError', 'passkey_unsupported'],
    ['SecurityError', 'passkey_unsupported'],
    ['ConstraintError', 'passkey_unsupported'],
    ['AbortError', 'aborted'],
  ])('%s of the browser is %s', async (name, code) => {
    navigator.credentials.create = () => Promise.reject(new DOMException('no', name))
    await refused(page.client().owners.enrol(), code)
  })
  test('a browser without passkeys, and Node, are passkey_unsupported', async () => {
    const { client } = await owned()
    vi.unstubAllGlobals()
    await refused(client.signAndSend({ to }), 'passkey_unsupported')
  })
  test('a key that is not ES256 is passkey_unsupported', async () => {
    const { create } = navigator.credentials
    navigator.credentials.create = async (options) => {
      const made = Object(await create(options))
      return { ...made, response: { ...made.response, getPublicKeyAlgorithm: () => -257 } }
    }
    await refused(page.client().owners.enrol(), 'passkey_unsupported')
  })
  test('an aborted signal takes the prompt away', async () => {
    const { client, owners } = await owned()
    const { get } = navigator.credentials
    const controller = new AbortController()
    navigator.credentials.get = (options) => {
      controller.abort()
      return get(options)
    }
    const run = client.signAndSend({ to }, { address: owners.address, signal: controller.signal })
    await refused(run, 'aborted')
    expect(page.service.requests).not.toContain('POST /sign/digest')
  })
  test('a service that names another hash than the record has is refused', async () => {
    const { client, owners } = await owned()
    const forged = { ...owners, ownersHash: `0x${'00'.repeat(32)}` as Hex }
    await refused(client.owners.approve(forged, 1, owners.ownersHash), 'bad_response')
  })
})
