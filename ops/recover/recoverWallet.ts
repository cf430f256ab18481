import { ServiceError } from '@perigee/core'
import { keyIdOf } from '@perigee/core/enclave'
import type { ProvisionedWallet, ProvisionWalletInput } from '@perigee/core/workflow'
import type { KeyEntropy } from '../../activities/evidence/createEntropyActivities.js'
import type { VerifiedQuote } from '../../activities/evidence/requireVerified.js'
import type { Recorded } from '../../activities/evidence/recordedOf.js'
import { birthRecord, type NewKey } from '../../activities/wallets/birthRecord.js'
import { addressOfKey } from '../../clients/enclave/secp256k1.js'
import { findWallet, findWalletByUser, recordWallet, userExists } from '../../database/index.js'
import { restartPublishing, type RunRecord } from '../../temporal/index.js'
import type { Recovery } from './createLosses.js'
import { storeNamedBundles } from './storeNamedBundles.js'

/** Puts a wallet back, with its birth. One whose person is lost cannot be: its key is bound to their random pepper. */
export async function recoverWallet({ input, steps }: RunRecord, recovery: Recovery): Promise<void> {
  const { database, client, losses } = recovery
  const made = steps.get('recordWallet') as (ProvisionedWallet & { recorded?: Recorded }) | undefined
  if (!made?.recorded || !made.birth) return // this run made no wallet
  const { walletId, address, recorded, birth } = made
  losses.explained.add(birth.txHash)
  if (await findWallet(database, walletId)) return
  const asked = input as ProvisionWalletInput
  const { sample } = steps.get('fetchEntropy') as Extract<KeyEntropy, { sample: unknown }>
  const key = steps.get('createKeyInEnclave') as NewKey
  const verified = steps.get('verifyQuote') as VerifiedQuote
  if (keyIdOf(key.answer.publicKey) !== key.answer.keyId || addressOfKey(key.answer.publicKey) !== address) {
    throw new ServiceError('binding_mismatch', 'the history names another key than it made')
  }
  if (!(await userExists(database, asked.userId))) {
    const why = 'its person signed in for the first time after the backup: without their record nobody can open the key'
    return losses.gone('wallet', address, why)
  }
  const other = await findWalletByUser(database, asked.userId)
  if (other) return losses.gone('wallet', address, `its person has got another wallet since, ${other.address}`)
  const names = await storeNamedBundles(recovery, recorded, verified.collateralCid)
  const facts = { walletId, slug: birth.slug, ...names, now: new Date(recorded.issuedAt) }
  const record = birthRecord({ ...asked, entropy: sample, key, verified }, facts) // throws for a quote that was not verified
  if (recovery.apply) {
    const kept = await recordWallet(database, record)
    if (kept?.id !== walletId) throw new ServiceError('internal_error', 'another record has its place')
    await restartPublishing(client, birth, 'ops recover', 'replace')
  }
  losses.recovered('wallet', address)
}
