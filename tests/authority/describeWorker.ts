import { describe, expect, test } from 'vitest'
import { transactionDigest, type TxMetadata } from '@perigee/core'
import { ownersHash, type SignedStatement } from '@perigee/core/authorisation'
import type { SignTransactionRequest } from '@perigee/core/enclave'
import { newRequest } from '../../activities/evidence/newRequest.js'
import { createSoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js'
import { approveOwners, ownersOf } from '../../core/authorisation/testing/softOwners.js'
import { newTransaction, randomHex } from '../../enclave/testing/createTestWorld.js'
import { codeOf, type Authority, type Person } from './startAuthority.js'

/** Someone who has a worker: its certificate for the enclave, every sealed key, every sample, every statement that passes. */
export function describeWorker(authority: () => Authority): void {
  const entropy = () => authority().service.deps.entropy.take({ kind: 'sign', id: randomHex(32) })
  const enclave = () => authority().service.deps.enclave

  /** What the API states about a transaction of this person. */
  function state({ wallet }: Pick<Person, 'wallet'>, transaction: TxMetadata, lifeMs = 60_000) {
    const { chainId } = transaction
    const digest = transactionDigest(transaction)
    const about = { kind: 'transaction', address: wallet.address, digest, chainId, approval: null } as const
    const expiresAtMs = Date.now() + lifeMs
    return authority().service.statements.sign(wallet.subject, { ...about, expiresAtMs })
  }

  /** The request that a worker sends for this person's wallet. */
  async function requestFor({ wallet }: Pick<Person, 'wallet'>, transaction: TxMetadata) {
    const { sealedKey, keyId, address, owners, since } = wallet
    const { coordinator, statement } = await state({ wallet }, transaction)
    const request: SignTransactionRequest = {
      sealedKey,
      keyId,
      address,
      owners,
      since,
      transaction,
      approval: null,
      digest: transactionDigest(transaction),
      entropy: await entropy(),
      ...newRequest({ coordinator, statement }),
    }
    return request
  }

  describe('who has a worker', () => {
    test('has nothing signed without a statement, with a forged one, or with one about another digest', async () => {
      const { newPerson } = authority()
      const [victim, attacker] = [await newPerson(), await newPerson()]
      const transaction = newTransaction()
      const request = await requestFor(victim, transaction)
      const refusal = async (statement: SignedStatement | undefined) =>
        codeOf(enclave().signTransaction({ ...request, nonce: randomHex(32), statement } as SignTransactionRequest))
      const { statement } = request
      expect(await refusal(undefined)).toBe('invalid_request')
      expect(await refusal({ ...statement, signature: randomHex(64) })).toBe('statement_invalid')
      expect(await refusal((await state(victim, newTransaction())).statement)).toBe('statement_invalid')
      expect(await refusal((await state(attacker, transaction)).statement)).toBe('statement_invalid')
      expect(await refusal({ ...statement, kind: 'create-key' })).toBe('statement_invalid')
      expect(await refusal({ ...statement, issuedAt: statement.issuedAt + 1 })).toBe('statement_invalid')
      expect(await codeOf(enclave().signTransaction(request))).toBe('accepted') // with the right one, this is signed
    })

    test('cannot use a statement after its time, nor lengthen it', async () => {
      const victim = await authority().newPerson()
      const transaction = newTransaction()
      const request = await requestFor(victim, transaction)
      const { statement } = await state(victim, transaction, 1_000)
      const passed = (statement.expiresAt + 1) * 1000 + 50
      await new Promise((resolve) => setTimeout(resolve, passed - Date.now()))
      expect(await codeOf(enclave().signTransaction({ ...request, statement }))).toBe('statement_expired')
      const longer = { ...statement, expiresAt: statement.expiresAt + 300 }
      expect(await codeOf(enclave().signTransaction({ ...request, statement: longer }))).toBe('statement_invalid')
    })

    test('cannot open another’s key with a statement about their own wallet', async () => {
      const { newPerson } = authority()
      const [victim, attacker] = [await newPerson(), await newPerson()]
      const request = await requestFor(attacker, newTransaction())
      const { sealedKey } = victim.wallet
      expect(await codeOf(enclave().signTransaction({ ...request, sealedKey }))).toBe('sealed_key_invalid')
    })

    test('cannot make a key for somebody, nor change owners, with a statement about something else', async () => {
      const { service, newPerson } = authority()
      const [victim, own] = [await newPerson(), createSoftPasskey()]
      const { coordinator, statement } = await state(victim, newTransaction())
      const asked = newRequest({ coordinator, statement })
      const key = { ...asked, entropy: await entropy(), owners: null, approval: null }
      expect(await codeOf(enclave().createKey(key))).toBe('statement_invalid')

      const { sealedKey, keyId, address, owners, since, subject } = victim.wallet
      const next = ownersOf([own])
      const approval = approveOwners(next, { passkeys: [own] }, { address })
      const change = { ...asked, sealedKey, keyId, address, owners, since, next, approval }
      expect(await codeOf(enclave().changeOwners(change))).toBe('statement_invalid')
      // The user's own change, with the attacker's passkey put into it.
      const phone = createSoftPasskey()
      const mine = { owners: ownersOf([phone]), approval: approveOwners(ownersOf([phone]), { passkeys: [phone] }, { address }) } // prettier-ignore
      const stated = await service.statements.changeOwners(subject, address, mine)
      expect(stated.statement.digest).toBe(ownersHash(mine.owners))
      const swapped = { ...change, statement: stated.statement }
      expect(await codeOf(enclave().changeOwners(swapped))).toBe('statement_invalid')
      const honest = { ...swapped, next: mine.owners, approval: mine.approval, nonce: randomHex(32) }
      expect(await codeOf(enclave().changeOwners(honest))).toBe('accepted')
    })
  })

  describe('who has the attested API', () => {
    test('can use wallets without owners, and says so in public; one with a passkey it cannot', async () => {
      const { service, newPerson, signatures } = authority()
      const [bare, phone] = [await newPerson(), createSoftPasskey()]
      const userId = await service.newUser()
      const owners = ownersOf([phone])
      const credentials = [
        { publicKey: phone.publicKey, id: 'cGhvbmU', label: null, addedAt: new Date().toISOString() },
      ]
      const approval = approveOwners(owners, { passkeys: [phone] })
      const owned = await service.provision(userId, { owners, approval, credentials })
      const transaction = newTransaction()
      const call = {
        transaction,
        digest: transactionDigest(transaction),
        approval: null,
        expiresAtMs: Date.now() + 30_000,
      }
      const stated = await state(bare, transaction)
      expect(await codeOf(service.temporal.signDigest({ ...call, walletId: bare.wallet.id, ...stated }))).toBe('accepted') // prettier-ignore
      expect(await codeOf(service.sign({ ...call, walletId: owned.walletId }))).toBe('authorisation_required')
      expect(await signatures(owned.address)).toBe(0)
    })
  })
}
