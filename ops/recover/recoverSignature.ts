import { ServiceError, transactionHash, verifyDigest, verifySigner } from '@perigee/core'
import type { CommittedSignature, SignDigestInput } from '@perigee/core/workflow'
import type { SigningEntropy } from '../../activities/evidence/createEntropyActivities.js'
import type { VerifiedQuote } from '../../activities/evidence/createQuoteActivities.js'
import { signatureRecord, type EnclaveSignature } from '../../activities/signing/signatureRecord.js'
import { recoverAddress } from '../../clients/enclave/secp256k1.js'
import { findSigner, recordSignature } from '../../database/index.js'
import { restartPublishing, type RunRecord } from '../../temporal/index.js'
import type { Recovery } from './createLosses.js'
import { storeNamedBundles, type Recorded } from './recorded.js'

/** Puts a signature back that was given to its caller, under the same name, and sees its publication started. */
export async function recoverSignature({ input, steps }: RunRecord, recovery: Recovery): Promise<void> {
  const { database, client, losses } = recovery
  const made = steps.get('recordSignature') as (CommittedSignature & { recorded?: Recorded }) | undefined
  if (!made?.recorded) return // this run recorded no signature: it failed, or found one
  const { slug, txHash, wallet, recorded } = made
  const asked = input as SignDigestInput
  const { walletId, digest, transaction } = asked
  const signer = await findSigner(database, walletId, digest)
  if (signer?.signed?.slug === slug) return
  const { sample: entropy, key } = steps.get('fetchEntropy') as Extract<SigningEntropy, { sample: unknown }>
  const signed = steps.get('signInEnclave') as EnclaveSignature
  const verified = steps.get('verifyQuote') as VerifiedQuote
  // By the record's address, not by the one that the history claims.
  const address = signer?.wallet.address ?? wallet
  verifyDigest(transaction, digest)
  await verifySigner(transaction, signed.answer.signature, address, recoverAddress)
  if (address !== wallet || transactionHash(transaction, signed.answer.signature) !== txHash) {
    throw new ServiceError('binding_mismatch', 'the history names another wallet or transaction than it signed')
  }
  losses.explained.add(txHash)
  if (signer?.signed) {
    return losses.gone(
      'signature',
      slug,
      `the same transaction was signed again since: its proof is ${signer.signed.slug}`,
    )
  }
  if (!signer && (recovery.apply || !losses.isWalletBack(wallet)))
    return losses.gone('signature', slug, 'its wallet is lost')
  const names = await storeNamedBundles(recovery, recorded, verified.collateralCid)
  if (recovery.apply) {
    const facts = { slug, txHash, ...names, now: new Date(recorded.issuedAt) }
    const row = await recordSignature(
      database,
      signatureRecord({ kind: 'transaction', ...asked, entropy, key, signed, verified }, facts),
    )
    if (row.slug !== slug) throw new ServiceError('internal_error', 'another record stands in its place')
    await restartPublishing(client, made, true)
  }
  losses.recovered('signature', slug)
}
