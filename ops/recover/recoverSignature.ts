import type { DataSource } from 'typeorm'
import { ServiceError, transactionHash, verifyDigest, verifySigner, type Hex } from '@perigee/core'
import { messageCommitment } from '@perigee/core/message'
import { verifySignerOf } from '@perigee/core/transaction'
import type { CommittedSignature, SignDigestInput, SigningRequest, SignMessageInput } from '@perigee/core/workflow'
import type { RecordFacts } from '../../activities/evidence/attestationOf.js'
import type { SigningEntropy } from '../../activities/evidence/createEntropyActivities.js'
import type { VerifiedQuote } from '../../activities/evidence/requireVerified.js'
import type { Recorded } from '../../activities/evidence/recordedOf.js'
import { hiddenOf, messageRecord } from '../../activities/signing/messageRecord.js'
import { signatureRecord, type EnclaveSignature, type ToRecord } from '../../activities/signing/signatureRecord.js'
import { recoverAddress } from '../../clients/enclave/secp256k1.js'
import { findMessageSigner, findSigner, recordMessage, recordSignature } from '../../database/index.js'
import { restartPublishing, type RunRecord } from '../../temporal/index.js'
import type { Recovery } from './createLosses.js'
import { storeNamedBundles } from './storeNamedBundles.js'

/** Puts the signature of a transaction back that was given to its caller, under the same name, and sees its publication started. */
export function recoverSignature({ input, steps }: RunRecord, recovery: Recovery): Promise<void> {
  return recoverSigned({ kind: 'transaction', ...(input as SignDigestInput) }, steps, recovery)
}

/** The same for a message. Its history has what its caller needs to get the same answer again. */
export function recoverMessage({ input, steps }: RunRecord, recovery: Recovery): Promise<void> {
  return recoverSigned({ kind: 'message', ...(input as SignMessageInput) }, steps, recovery)
}

async function recoverSigned(request: SigningRequest, steps: RunRecord['steps'], recovery: Recovery): Promise<void> {
  const { database, client, losses } = recovery
  const made = steps.get('recordSignature') as (CommittedSignature & { recorded?: Recorded }) | undefined
  if (!made?.recorded) return // this run recorded no signature: it failed, or found one
  const { slug, txHash, wallet, recorded } = made
  const signer =
    request.kind === 'message'
      ? await findMessageSigner(database, request)
      : await findSigner(database, request.walletId, request.digest)
  if (signer?.signed?.slug === slug) return
  const { sample: entropy, key } = steps.get('fetchEntropy') as Extract<SigningEntropy, { sample: unknown }>
  const signed = steps.get('signInEnclave') as EnclaveSignature
  const verified = steps.get('verifyQuote') as VerifiedQuote
  // By the record's address, not by the one that the history claims.
  const address = signer?.wallet.address ?? wallet
  if (address !== wallet || (await signedHash(request, signed.answer.signature, address)) !== txHash) {
    throw new ServiceError('binding_mismatch', `the history names another wallet or ${request.kind} than it signed`)
  }
  losses.explained.add(txHash)
  if (signer?.signed) {
    const why = `the same ${request.kind} was signed again since: its proof is ${signer.signed.slug}`
    return losses.gone('signature', slug, why)
  }
  if (!signer && (recovery.apply || !losses.isWalletBack(wallet)))
    return losses.gone('signature', slug, 'its wallet is lost')
  const names = await storeNamedBundles(recovery, recorded, verified.collateralCid)
  const facts = { slug, ...names, now: new Date(recorded.issuedAt) }
  const record = prepare({ ...request, entropy, key, signed, verified }, facts)
  if (recovery.apply) {
    const row = await record(database)
    if (row.slug !== slug) throw new ServiceError('internal_error', 'another record has its place')
    await restartPublishing(client, made, 'ops recover', 'replace')
  }
  losses.recovered('signature', slug)
}

/** The hash in its event. Throws unless this wallet signed exactly what was asked for. */
async function signedHash(request: SigningRequest, signature: Hex, address: Hex): Promise<Hex> {
  if (request.kind === 'message') {
    const hidden = hiddenOf(request)
    await verifySignerOf(hidden.digest, signature, address, recoverAddress)
    return messageCommitment(hidden, signature)
  }
  verifyDigest(request.transaction, request.digest)
  await verifySigner(request.transaction, signature, address, recoverAddress)
  return transactionHash(request.transaction, signature)
}

/** Throws for a quote that was not verified. */
function prepare(input: ToRecord, facts: RecordFacts): (database: DataSource) => Promise<{ slug: string }> {
  if (input.kind === 'message') {
    const record = messageRecord(input, facts)
    return (database) => recordMessage(database, record)
  }
  const record = signatureRecord(input, facts)
  return (database) => recordSignature(database, record)
}
