import { ServiceError, type Hex } from '@perigee/core'
import { ownersHash } from '@perigee/core/authorisation'
import type {
  ChangeOwnersInput,
  ChangeOwnersResult,
  ResealWalletInput,
  ResealWalletResult,
} from '@perigee/core/workflow'
import { requireVerified, type VerifiedQuote } from '../../activities/evidence/requireVerified.js'
import { quotedIn, type Resealed } from '../../activities/wallets/createOwnersActivities.js'
import { resealRecord, type ResealedKey } from '../../activities/wallets/resealRecord.js'
import { findWallet, recordOwners, recordReseal } from '../../database/index.js'
import type { RunRecord } from '../../temporal/index.js'
import type { Recovery } from './createLosses.js'

/** Seals that a run without --apply would have put back: the next one follows them. */
const planned = new WeakMap<Recovery['losses'], Map<string, Hex>>()

/**
 * Puts a change of owners back. Until then the owners of before rule, a removed device included. Someone who writes to Temporal can
 * give a result of the same run another step's name, so what the steps say is compared.
 */
export async function recoverOwners({ input, steps }: RunRecord, recovery: Recovery): Promise<void> {
  const recorded = steps.get('recordOwners') as ChangeOwnersResult | undefined
  if (!recorded) return
  const resealed = steps.get('changeOwnersInEnclave') as Resealed | object
  if (!('answer' in resealed)) return // the change had been made before
  const asked = input as ChangeOwnersInput
  const { walletId, owners, credentials } = asked
  const { sealedKey } = resealed.answer
  const isBack = await replaceSeal(recovery, 'owners', walletId, [resealed.sealedKey, sealedKey], () => {
    requireVerified(steps.get('verifyQuote') as VerifiedQuote | undefined, quotedIn({ ...asked, resealed }))
    if (recorded.ownersHash !== ownersHash(owners)) {
      throw new ServiceError('binding_mismatch', 'the history does not say that these owners were recorded')
    }
    const seal = { sealedKey, owners, since: resealed.since ?? 'upgrade', credentials } as const
    return () => recordOwners(recovery.database, walletId, resealed.sealedKey, seal)
  })
  if (isBack) return
  const wallet = await findWallet(recovery.database, walletId)
  if (!wallet) return // reported with the wallet
  const standing = wallet.owners
  const stands = ownersHash(standing) === ownersHash(owners) || (standing?.sequence ?? -1) > owners.sequence
  if (!stands) recovery.losses.gone('owners', walletId, 'the seal that this change replaced is not in the record')
}

/** Puts a seal under a newer version back, with its evidence. Of runs that sealed the same key at once only one counted. */
export async function recoverSeal({ input, steps }: RunRecord, recovery: Recovery): Promise<void> {
  const result = steps.get('recordReseal') as ResealWalletResult | undefined
  if (!result || result.recorded === false) return
  const resealed = steps.get('resealKeyInEnclave') as ResealedKey | object
  if (!('answer' in resealed)) return
  const asked = input as ResealWalletInput
  const verified = steps.get('verifyQuote') as VerifiedQuote
  const [from, to] = [resealed.key.sealedKey, resealed.answer.sealedKey]
  if (result.recorded === undefined) {
    const present = (await findWallet(recovery.database, asked.walletId))?.sealedKey
    if (present !== from) return
    return recovery.losses.gone('seal', asked.walletId, 'its history does not say whether it counted; the seal of before opens too') // prettier-ignore
  }
  await replaceSeal(recovery, 'seal', asked.walletId, [from, to], () => {
    const evidence = resealRecord({ ...asked, resealed, verified }, new Date())
    return () => recordReseal(recovery.database, from, to, evidence)
  })
}

/** True when the seal was, or would be, put back. `prepare` throws for a history that does not pass its checks. */
async function replaceSeal(
  { database, losses, apply }: Recovery,
  kind: string,
  walletId: string,
  [from, to]: [Hex, Hex],
  prepare: () => () => Promise<boolean>,
): Promise<boolean> {
  const seals = planned.get(losses) ?? new Map<string, Hex>()
  planned.set(losses, seals)
  const present = seals.get(walletId) ?? (await findWallet(database, walletId))?.sealedKey
  if (present !== from) return false // it is there, or something newer is
  const record = prepare()
  if (apply) await record()
  else seals.set(walletId, to)
  losses.recovered(kind, walletId)
  return true
}
