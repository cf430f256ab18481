import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ServiceClient } from '../client/ServiceClient.js'
import { ServiceError } from '../errors/ServiceError.js'
import type { OwnersChange } from '../types.js'
import { startOwned } from './testing/startOwned.js'

let page: Awaited<ReturnType<typeof startOwned>>
beforeEach(async () => {
  page = await startOwned()
})
afterEach(() => page.close())

/** The service takes the change and gives up before it is stored: no worker was there. The function stores it later. */
function storesLater({ api }: ServiceClient): () => Promise<unknown> {
  const { changeOwners } = api
  const waiting: OwnersChange[] = []
  api.changeOwners = async (change) => {
    waiting.push(change)
    throw new ServiceError('service_unavailable', 'No answer in time.', { status: 503, requestId: 'r1' })
  }
  return () => {
    api.changeOwners = changeOwners
    return Promise.all(waiting.map((change) => changeOwners(change)))
  }
}

const failureOf = (work: Promise<unknown>): Promise<ServiceError> =>
  work.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => error as ServiceError,
  )

const uncertain = { name: 'ServiceError', code: 'owners_uncertain', recoveryCode: expect.stringMatching(/^.{33}$/) }

describe('a change that is stored after everybody has given up', () => {
  test('addRecovery: the error has the code, which works from then on', async () => {
    const { client, code } = await page.enrolled()
    const store = storesLater(client)
    const error = await failureOf(client.owners.addRecovery())
    expect(error).toMatchObject({
      ...uncertain,
      status: 503,
      requestId: 'r1',
      cause: { code: 'service_unavailable' },
    })
    expect(error.message).toMatch(/Keep the new recovery code, and the old one/)
    await store()
    await expect(client.owners.recover(code)).rejects.toMatchObject({ code: 'recovery_code_invalid' })
    await client.owners.recover(error.recoveryCode ?? '')
  })

  test('recover: the error has the code', async () => {
    const { client, code } = await page.enrolled()
    page.authenticators.use(page.authenticators.addDevice())
    const store = storesLater(client)
    const error = await failureOf(client.owners.recover(code))
    expect(error).toMatchObject(uncertain)
    await store()
    await client.owners.recover(error.recoveryCode ?? '')
  })

  test('enrol of a wallet that is there: the error has the code', async () => {
    const client = page.client()
    await client.api.provisionWallet()
    const store = storesLater(client)
    const error = await failureOf(client.owners.enrol())
    expect(error).toMatchObject(uncertain)
    await store()
    await client.owners.recover(error.recoveryCode ?? '')
  })

  test('addDevice: the error says that it is unknown, and has no code', async () => {
    const { client } = await page.enrolled()
    const laptop = page.authenticators.device()
    page.authenticators.use(page.authenticators.addDevice(), laptop)
    storesLater(client)
    const error = await failureOf(client.owners.addDevice())
    expect(error).toMatchObject({ code: 'owners_uncertain', recoveryCode: null })
  })
})

describe('enrol makes the wallet', () => {
  test('and every answer is lost: the error has the code, which works', async () => {
    const client = page.client()
    const { getOwners } = client.api
    page.service.inject({ path: '/wallet/provision', loseAnswer: true, times: 3 })
    client.api.getOwners = (signal) =>
      page.service.requests.includes('POST /wallet/provision')
        ? Promise.reject(new ServiceError('network_error', 'Gone.'))
        : getOwners(signal)
    const error = await failureOf(client.owners.enrol())
    expect(error).toMatchObject(uncertain)
    client.api.getOwners = getOwners
    await client.owners.recover(error.recoveryCode ?? '')
  })

  test('and its answers are lost: that it was made is found out', async () => {
    const client = page.client()
    page.service.inject({ path: '/wallet/provision', loseAnswer: true, times: 3 })
    const { owners, recoveryCode } = await client.owners.enrol()
    expect(owners.since).toBe('creation')
    await client.owners.recover(recoveryCode ?? '')
  })
})

test('a change that is stored succeeds, whatever becomes of onChange', async () => {
  const client = page.client()
  client.owners.onChange = () => Promise.reject(new Error('the page could not be updated'))
  expect((await client.owners.enrol()).recoveryCode).toHaveLength(33)
  expect((await client.owners.addRecovery()).recoveryCode).toHaveLength(33)
})

test('a refusal is passed on as it is, without a code: it was not stored', async () => {
  const { client } = await page.enrolled()
  client.api.changeOwners = () =>
    Promise.reject(new ServiceError('authorisation_expired', 'The approval has expired.', { status: 409 }))
  const refused = { code: 'authorisation_expired', recoveryCode: null }
  expect(await failureOf(client.owners.addRecovery())).toMatchObject(refused)
})

test('an error that is logged does not show its code', async () => {
  const { client } = await page.enrolled()
  storesLater(client)
  const error = await failureOf(client.owners.addRecovery())
  for (const logged of [inspect(error, { depth: 9 }), JSON.stringify(error), JSON.stringify({ ...error })]) {
    expect(logged).not.toContain(error.recoveryCode)
  }
})
