import { describe, expect, test } from 'vitest'
import { transactionDigest } from '@perigee/core'
import { transactionIntent } from '@perigee/core/authorisation'
import { createSoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js'
import { ownersOf } from '../../core/authorisation/testing/softOwners.js'
import type { Wallet } from '../../database/index.js'
import { newTransaction } from '../../enclave/testing/createTestWorld.js'
import type { Authority } from './startAuthority.js'

/** Someone who can write every row, and has an account like everybody. */
export function describePostgresWriter(authority: () => Authority): void {
  const query = (sql: string, values: unknown[]) => authority().service.database.query(sql, values)

  /** Puts everything that a wallet's row says about its key into another person's row. */
  const putKey = ({ id }: Wallet, key: Wallet) =>
    query(
      `UPDATE wallets SET key_id = $2, address = $3, public_key = $4, sealed_key = $5, owners = $6, since = $7 WHERE id = $1`,
      [id, key.keyId, key.address, key.publicKey, key.sealedKey, key.owners && JSON.stringify(key.owners), key.since],
    )

  /** Frees the values that only one row may have. */
  const setAside = ({ id }: Wallet) =>
    query(`UPDATE wallets SET key_id = 'aside-' || id, address = 'aside-' || id WHERE id = $1`, [id])

  describe('who writes to Postgres', () => {
    test('moves a session to another user, and can sign with nobody’s key', async () => {
      const { newPerson, sign, signatures } = authority()
      const [victim, attacker] = [await newPerson(), await newPerson()]
      expect(await sign(attacker.browser)).toBe('signed')
      await query('UPDATE sessions SET user_id = $1 WHERE user_id = $2', [victim.userId, attacker.userId])
      const me = await attacker.browser.fetch(`${authority().api.url}/auth/me`)
      expect(await me.json()).toMatchObject({ id: victim.userId }) // the move worked
      expect(await sign(attacker.browser)).toBe('sealed_key_invalid')
      // Also when the row claims that the wallet is the attacker's: then the enclave refuses.
      await query('UPDATE wallets SET subject = $1 WHERE id = $2', [attacker.wallet.subject, victim.wallet.id])
      expect(await sign(attacker.browser)).toBe('sealed_key_invalid')
      expect(await signatures(victim.wallet.address)).toBe(0)
    })

    test('moves a wallet to another user, and the key does not open for them', async () => {
      const { newPerson, sign, signatures } = authority()
      const [victim, attacker] = [await newPerson(), await newPerson()]
      await query('DELETE FROM attestations USING publications p WHERE p.slug = attestations.slug AND p.wallet_id = $1', [attacker.wallet.id]) // prettier-ignore
      await query('DELETE FROM publications WHERE wallet_id = $1', [attacker.wallet.id])
      await query('DELETE FROM wallets WHERE id = $1', [attacker.wallet.id])
      await query('UPDATE wallets SET user_id = $1 WHERE id = $2', [attacker.userId, victim.wallet.id])
      expect(await sign(attacker.browser)).toBe('sealed_key_invalid')
      await query('UPDATE wallets SET subject = $1 WHERE id = $2', [attacker.wallet.subject, victim.wallet.id])
      expect(await sign(attacker.browser)).toBe('sealed_key_invalid')
      expect(await signatures(victim.wallet.address)).toBe(0)
    })

    test('copies a sealed key into their own wallet, and it does not open', async () => {
      const { newPerson, sign, signatures } = authority()
      const [victim, attacker] = [await newPerson(), await newPerson()]
      await setAside(victim.wallet)
      await putKey(attacker.wallet, victim.wallet)
      expect(await sign(attacker.browser)).toBe('sealed_key_invalid')
      expect(await signatures(victim.wallet.address)).toBe(0)
      await putKey(attacker.wallet, attacker.wallet)
      await query('UPDATE wallets SET sealed_key = $1 WHERE id = $2', [victim.wallet.sealedKey, attacker.wallet.id])
      expect(await sign(attacker.browser)).toBe('sealed_key_invalid') // the blob alone, under their own name
      await putKey(victim.wallet, victim.wallet)
      expect(await sign(victim.browser)).toBe('signed') // and nothing was lost
    })

    test('changes a pepper, and locks the person out until it is put back, without getting in', async () => {
      const { api, newPerson, sign } = authority()
      const victim = await newPerson()
      const [user] = await query('SELECT pepper FROM users WHERE id = $1', [victim.userId])
      await query('UPDATE users SET pepper = $2 WHERE id = $1', [victim.userId, `0x${'11'.repeat(32)}`])
      expect(await sign(victim.browser)).toBe('signed') // the session says who it is, not the row
      expect(await sign(await api.signIn(victim.email))).toBe('sealed_key_invalid')
      await query('UPDATE users SET pepper = $2 WHERE id = $1', [victim.userId, user.pepper])
      expect(await sign(await api.signIn(victim.email))).toBe('signed')
    })

    test('makes their own sign-in lead to another’s account, and is still themselves to the enclave', async () => {
      const { api, newPerson, sign, signatures } = authority()
      const [victim, attacker] = [await newPerson(), await newPerson()]
      const [{ issuer, subject }] = await query('SELECT issuer, subject FROM users WHERE id = $1', [attacker.userId])
      await query(`UPDATE users SET subject = 'aside' WHERE id = $1`, [attacker.userId])
      await query('UPDATE users SET issuer = $2, subject = $3 WHERE id = $1', [victim.userId, issuer, subject])
      const browser = await api.signIn(attacker.email)
      const me = await browser.fetch(`${api.url}/auth/me`)
      expect(await me.json()).toMatchObject({ id: victim.userId })
      expect(await sign(browser)).toBe('sealed_key_invalid')
      expect(await signatures(victim.wallet.address)).toBe(0)
    })

    test('takes a passkey off a wallet, or puts their own in, and the key does not open', async () => {
      const { claim, newPerson, sign, signatures, walletOf } = authority()
      const [victim, phone, stranger] = [await newPerson(), createSoftPasskey(), createSoftPasskey()]
      await claim(victim, phone)
      expect(await sign(victim.browser)).toBe('authorisation_required')
      const owned = await walletOf(victim.userId)
      await putKey(owned, { ...owned, owners: null, since: null })
      expect(await sign(victim.browser)).toBe('sealed_key_invalid')
      const foreign = ownersOf([stranger])
      await putKey(owned, { ...owned, owners: foreign })
      const transaction = newTransaction()
      const { chainId } = transaction
      const intent = transactionIntent(owned.address, foreign, chainId, transactionDigest(transaction))
      expect(await sign(victim.browser, { transaction, authorisation: stranger.approve(intent) })).toBe('sealed_key_invalid') // prettier-ignore
      expect(await signatures(victim.wallet.address)).toBe(0)
    })

    test('puts back the key as it was sealed before an upgrade: that opens, for a person who is signed in', async () => {
      const { claim, newPerson, sign, walletOf } = authority()
      const victim = await newPerson()
      await claim(victim, createSoftPasskey())
      await putKey(await walletOf(victim.userId), victim.wallet)
      expect(await sign(victim.browser)).toBe('signed') // why an upgraded wallet says so; its receipt names no passkey
    })
  })
}
