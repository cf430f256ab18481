import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServiceError, transactionDigest, type Hex } from '@perigee/core'
import { ownersHash, transactionIntent, type OwnersRecord, type PasskeyApproval } from '@perigee/core/authorisation'
import type { NewOwners } from '@perigee/core/workflow'
import { createOwnersActivities, type Resealed } from '../../activities/wallets/createOwnersActivities.js'
import { createSoftPasskey, createSoftRecovery, type SoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js' // prettier-ignore
import { approveOwners, ownersOf } from '../../core/authorisation/testing/softOwners.js'
import { findWallet, getProof } from '../../database/index.js'
import { newTransaction } from '../../enclave/testing/createTestWorld.js'
import { keepHistory } from '../../temporal/testing/keepHistory.js'
import { createActivities } from '../../workers/createActivities.js'
import { startService, type TestService } from '../../tests/rigs/workers/startService.js'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.startWorkers()
})
afterAll(() => service.close())

const named = (owners: OwnersRecord) =>
  owners.credentials.map(({ publicKey }, i) => ({ publicKey, id: `id-${i}`, label: null, addedAt: '2026-11-16T00:00:00.000Z' })) // prettier-ignore

type By = Parameters<typeof approveOwners>[1]

/** The change to these owners, agreed to by `by`. */
function changeTo(next: OwnersRecord, by: By, address?: Hex, current: OwnersRecord | null = null): NewOwners {
  const approval = approveOwners(next, by, { current, ...(address && { address }) })
  return { owners: next, approval, credentials: named(next) }
}

async function newWallet(passkeys: SoftPasskey[] = []) {
  const userId = await service.newUser()
  const owned = passkeys.length > 0 ? changeTo(ownersOf(passkeys), { passkeys }) : null
  const { walletId, address } = await service.provision(userId, owned)
  return { userId, walletId, address, owners: owned?.owners ?? null }
}
type Wallet = Awaited<ReturnType<typeof newWallet>>

/** Signs a new transaction, with the approval of `passkey` if given. */
function sign({ walletId, address, owners }: Wallet, passkey?: SoftPasskey, change: Partial<PasskeyApproval> = {}) {
  const transaction = newTransaction()
  const digest = transactionDigest(transaction)
  const subject = owners && transactionIntent(address, owners, transaction.chainId, digest)
  const approval = passkey && subject ? { ...passkey.approve(subject), ...change } : null
  return service.sign({ walletId, digest, transaction, approval })
}

async function change(wallet: Wallet, next: OwnersRecord, by: By): Promise<Wallet> {
  const { ownersHash: hash } = await service.changeOwners(wallet.walletId, changeTo(next, by, wallet.address, wallet.owners)) // prettier-ignore
  expect(hash).toBe(ownersHash(next))
  return { ...wallet, owners: next }
}

test('a wallet made with a passkey signs nothing without it, and the receipt shows the approval', async () => {
  const [phone, stranger] = [createSoftPasskey(), createSoftPasskey()]
  const wallet = await newWallet([phone])
  await keepHistory(service.client, `wallet/${wallet.userId}`, 'provision-owned')
  expect(await findWallet(service.database, wallet.walletId)).toMatchObject({
    since: 'creation',
    owners: wallet.owners,
  })
  await expect(sign(wallet)).rejects.toMatchObject({ code: 'authorisation_required' })
  await expect(sign(wallet, stranger)).rejects.toMatchObject({ code: 'authorisation_invalid' })
  await expect(sign(wallet, phone, { validUntil: 1 })).rejects.toMatchObject({ code: 'authorisation_expired' })
  const { slug } = await sign(wallet, phone)
  expect(await service.publicationOf(slug)).toBe('complete')
  expect((await getProof(service.database, slug))?.receipt).toMatchObject({
    authorisation: { level: 'passkey-verified', passkey: { since: 'creation', owners: wallet.owners } },
  })
})

test('a wallet is claimed, gets and loses a device, and is recovered, and each time the others are out', async () => {
  const [phone, laptop, spare] = [createSoftPasskey(), createSoftPasskey(), createSoftPasskey()]
  const recovery = createSoftRecovery()
  const bare = await newWallet()
  const { slug } = await sign(bare)
  expect(await service.publicationOf(slug)).toBe('complete')

  const first = await change(bare, ownersOf([phone], { recovery }), { passkeys: [phone] })
  await keepHistory(service.client, `owners/${first.walletId}/0`, 'owners')
  expect(await findWallet(service.database, first.walletId)).toMatchObject({ since: 'upgrade' })
  await expect(sign(first)).rejects.toMatchObject({ code: 'authorisation_required' })
  await sign(first, phone)

  const second = await change(first, ownersOf([phone, laptop], { current: first.owners, recovery }), {
    passkeys: [phone, laptop],
  })
  await sign(second, laptop)

  const third = await change(second, ownersOf([laptop], { current: second.owners, recovery }), { passkeys: [laptop] })
  await expect(sign(third, phone)).rejects.toMatchObject({ code: 'authorisation_invalid' })
  await sign(third, laptop)

  const fourth = await change(third, ownersOf([spare], { current: third.owners }), { passkeys: [spare], recovery })
  await expect(sign(fourth, laptop)).rejects.toMatchObject({ code: 'authorisation_invalid' })
  const last = await sign(fourth, spare)
  expect(await service.publicationOf(last.slug)).toBe('complete')
  expect((await getProof(service.database, last.slug))?.receipt).toMatchObject({
    authorisation: { passkey: { since: 'upgrade', owners: { sequence: 3 } } },
  })
  const events = await service.database.query<{ kind: string; change: number | null }[]>(
    `SELECT kind, facts->'sequence' AS change FROM audit_events
      WHERE facts->>'walletId' = $1 AND kind IN ('wallet_created', 'owners_changed') ORDER BY sequence`,
    [bare.walletId],
  )
  expect(events.map(({ kind, change }) => `${kind} ${change}`)).toEqual([
    'wallet_created null',
    ...[0, 1, 2, 3].map((change) => `owners_changed ${change}`),
  ])
})

test('the same change again gives the same answer, also after its workflow has ended', async () => {
  const phone = createSoftPasskey()
  const bare = await newWallet()
  const request = changeTo(ownersOf([phone]), { passkeys: [phone] }, bare.address)
  const answers = await Promise.all([1, 2, 3].map(() => service.changeOwners(bare.walletId, request)))
  answers.push(await service.changeOwners(bare.walletId, request))
  expect(new Set(answers.map((answer) => answer.ownersHash))).toEqual(new Set([ownersHash(request.owners)]))
  await keepHistory(service.client, `owners/${bare.walletId}/0`, 'owners-again')
})

test('of two changes from the same owners one is made, and the other is told', async () => {
  const [mine, theirs] = [createSoftPasskey(), createSoftPasskey()]
  const bare = await newWallet()
  const requests = [mine, theirs].map((key) => changeTo(ownersOf([key]), { passkeys: [key] }, bare.address))
  const answers = await Promise.allSettled(requests.map((request) => service.changeOwners(bare.walletId, request)))
  const hash = ownersHash((await findWallet(service.database, bare.walletId))?.owners ?? null)
  const winner = requests.findIndex((request) => ownersHash(request.owners) === hash)
  expect(winner).toBeGreaterThanOrEqual(0)
  // The loser joined the winner's run and sees its hash, or came later and was refused.
  for (const answer of answers) {
    if (answer.status === 'fulfilled') expect(answer.value.ownersHash).toBe(hash)
    else expect(answer.reason).toMatchObject({ code: 'owners_changed' })
  }
  const late = requests[1 - winner] as NewOwners
  await expect(service.changeOwners(bare.walletId, late)).rejects.toMatchObject({ code: 'owners_changed' })
  await keepHistory(service.client, `owners/${bare.walletId}/0`, 'owners-overtaken')
})

test('a change that none of the owners agreed to, or for another wallet, changes nothing', async () => {
  const [phone, stranger] = [createSoftPasskey(), createSoftPasskey()]
  const wallet = await newWallet([phone])
  const taken = ownersOf([stranger], { current: wallet.owners })
  const refused = (request: NewOwners) => service.changeOwners(wallet.walletId, request)
  await expect(refused(changeTo(taken, { passkeys: [stranger] }, wallet.address, wallet.owners))).rejects.toMatchObject(
    {
      code: 'authorisation_required',
    },
  )
  await keepHistory(service.client, `owners/${wallet.walletId}/1`, 'owners-refused')
  const beside = ownersOf([phone, stranger], { current: wallet.owners })
  await expect(refused(changeTo(beside, { passkeys: [phone] }, wallet.address, wallet.owners))).rejects.toMatchObject({
    code: 'authorisation_required',
  })
  const elsewhere = changeTo(taken, { passkeys: [phone, stranger] }, `0x${'11'.repeat(20)}`, wallet.owners)
  await expect(refused(elsewhere)).rejects.toMatchObject({ code: 'authorisation_invalid' })
  expect(await findWallet(service.database, wallet.walletId)).toMatchObject({ owners: wallet.owners })
})

test('a lost answer of the enclave or the database does not lose the change, nor make it twice', async () => {
  const phone = createSoftPasskey()
  const bare = await newWallet()
  const { enclave } = service.deps
  let calls = 0
  const changeOwners: typeof enclave.changeOwners = async (input) => {
    const answer = await enclave.changeOwners(input)
    if (++calls === 1) throw new ServiceError('enclave_unreachable', 'the answer was lost')
    return answer
  }
  Object.assign(service.deps, { enclave: { ...enclave, changeOwners } })
  const claimed = await change(bare, ownersOf([phone]), { passkeys: [phone] }).finally(() =>
    Object.assign(service.deps, { enclave }),
  )
  expect(calls).toBe(2)
  await keepHistory(service.client, `owners/${bare.walletId}/0`, 'owners-retried')
  await sign(claimed, phone)
})

test('a change is recorded only with the quote that was verified, and not long after it was asked for', async () => {
  const phone = createSoftPasskey()
  const { userId, walletId, address } = await newWallet()
  const asked = changeTo(ownersOf([phone]), { passkeys: [phone] }, address)
  const stated = await service.statements.changeOwners(service.subjectOf(userId), address, asked)
  const input = { walletId, ...asked, ...stated }
  const steps = createActivities(service.deps).sign
  const resealed = (await steps.changeOwnersInEnclave(input)) as Resealed
  const { sealedKey: _, answer, ...before } = resealed
  const request = { ...before, next: asked.owners, approval: asked.approval, ...stated }
  const verified = await steps.verifyQuote({ kind: 'owners', request, answer })
  const change = { ...input, resealed, verified }
  const later = createOwnersActivities({ ...service.deps, now: () => new Date(Date.now() + 3_600_000) })

  const other = { ...verified, quoteHash: `0x${'00'.repeat(32)}` as const }
  await expect(steps.recordOwners({ ...change, verified: other })).rejects.toMatchObject({ code: 'binding_mismatch' })
  // A run of the same name that asked for other owners: their record with this seal would lock everybody out.
  const theirs = changeTo(ownersOf([createSoftPasskey()]), { passkeys: [phone] }, address)
  const mixed = { ...change, ...theirs }
  await expect(steps.recordOwners(mixed)).rejects.toMatchObject({ code: 'binding_mismatch' })
  await expect(later.recordOwners(change)).rejects.toMatchObject({ code: 'statement_expired' })
  expect((await findWallet(service.database, walletId))?.owners).toBeNull()
  await steps.recordOwners(change)
  expect(await later.recordOwners(change)).toEqual({ ownersHash: ownersHash(asked.owners) }) // it is there
})
