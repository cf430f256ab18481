import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRecoveryCode } from './recoveryCode.js'
import { startOwned } from './testing/startOwned.js'

const to = '0x00000000000000000000000000000000000000aa'
let page: Awaited<ReturnType<typeof startOwned>>
beforeEach(async () => {
  page = await startOwned()
})
afterEach(() => page.close())

test('a device is added by the new passkey and an old one, removed by one that stays, and each record follows the last', async () => {
  const { client, owners: first, laptop } = await page.enrolled()
  const phone = page.authenticators.addDevice()
  page.authenticators.use(phone, laptop)
  const second = await client.owners.addDevice({ label: 'Phone' })
  expect(second.owners).toMatchObject({ sequence: 1, previous: first.ownersHash, recovery: first.owners?.recovery })
  expect(second.credentials.map(({ label }) => label).sort()).toEqual(['Laptop', 'Phone'])
  page.authenticators.use(phone)
  await client.signAndSend({ to, value: 1n })
  const third = await client.owners.removeDevice(first.credentials[0]?.publicKey ?? '0x')
  expect(third.credentials.map(({ label }) => label)).toEqual(['Phone'])
  expect(third.owners).toMatchObject({ sequence: 2, previous: second.ownersHash })
  await client.signAndSend({ to, value: 1n })
  page.authenticators.use(laptop)
  await expect(client.signAndSend({ to })).rejects.toMatchObject({ code: 'authorisation_declined' })
  expect(page.verified).toEqual([
    '/wallet/provision',
    '/wallet/owners',
    '/sign/digest',
    '/wallet/owners',
    '/sign/digest',
  ])
})

test('the device that has a passkey already cannot be added twice', async () => {
  const { client } = await page.enrolled()
  await expect(client.owners.addDevice()).rejects.toMatchObject({ code: 'passkey_exists' })
})

test('the last passkey stays, an unknown one is no device, and only one that stays can agree to a removal', async () => {
  const { client, owners, laptop } = await page.enrolled()
  const key = owners.credentials[0]?.publicKey ?? '0x'
  await expect(client.owners.removeDevice(key)).rejects.toMatchObject({ code: 'owners_invalid' })
  await expect(client.owners.removeDevice('0x02')).rejects.toMatchObject({ code: 'passkey_unknown' })
  page.authenticators.use(page.authenticators.addDevice(), laptop)
  await client.owners.addDevice()
  page.authenticators.use(laptop)
  await expect(client.owners.removeDevice(key)).rejects.toMatchObject({ code: 'authorisation_declined' })
})

test('the code names a new passkey in place of all others, once, and gives a new code', async () => {
  const { client, owners, code, laptop } = await page.enrolled()
  page.authenticators.use(page.authenticators.addDevice())
  const recovered = await client.owners.recover(code.toLowerCase(), { label: 'New phone' })
  expect(recovered.owners.credentials.map(({ label }) => label)).toEqual(['New phone'])
  expect(recovered.owners.since).toBe('creation')
  expect(recovered.owners.owners?.recovery).not.toEqual(owners.owners?.recovery)
  await client.signAndSend({ to, value: 1n })
  await expect(client.owners.recover(code)).rejects.toMatchObject({ code: 'recovery_code_invalid' })
  page.authenticators.use(laptop)
  await expect(client.signAndSend({ to })).rejects.toMatchObject({ code: 'authorisation_declined' })
})

test('a wrong code makes no passkey', async () => {
  const { client } = await page.enrolled()
  page.authenticators.prompts.length = 0
  for (const wrong of ['', 'hello', (await createRecoveryCode()).code]) {
    await expect(client.owners.recover(wrong)).rejects.toMatchObject({ code: 'recovery_code_invalid' })
  }
  expect(page.authenticators.prompts).toEqual([])
})

test('a new code replaces the old one, and a wallet without one cannot be recovered', async () => {
  const client = page.client()
  const { owners } = await client.owners.enrol({ recovery: false })
  const code = (await createRecoveryCode()).code
  await expect(client.owners.recover(code)).rejects.toMatchObject({ code: 'recovery_code_invalid' })
  const added = await client.owners.addRecovery()
  expect(added.owners.owners).toMatchObject({ sequence: 1, credentials: owners.owners?.credentials })
  const again = await client.owners.addRecovery()
  await expect(client.owners.recover(added.recoveryCode ?? '')).rejects.toMatchObject({ code: 'recovery_code_invalid' })
  await client.owners.recover(again.recoveryCode ?? '')
})

test('a change whose answer is lost is found out, and one that another device made first is owners_changed', async () => {
  const { client, laptop } = await page.enrolled()
  page.authenticators.use(page.authenticators.addDevice(), laptop)
  const { changeOwners } = client.api
  client.api.changeOwners = async (change) => {
    await changeOwners(change)
    throw Object.assign(new Error('lost'), { code: 'network_error', retryable: true })
  }
  expect((await client.owners.addDevice()).credentials).toHaveLength(2)
  client.api.changeOwners = async (change) => {
    client.api.changeOwners = changeOwners
    await client.owners.addRecovery()
    return changeOwners(change)
  }
  await expect(client.owners.addRecovery()).rejects.toMatchObject({ code: 'owners_changed' })
})
