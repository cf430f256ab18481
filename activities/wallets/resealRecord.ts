import type { Hex } from '@perigee/core'
import type { ResealKeyAnswer, SealedKey } from '@perigee/core/enclave'
import type { ResealWalletInput } from '@perigee/core/workflow'
import { hashOfBytes } from '../../clients/enclave/keyEvidence.js'
import type { Reseal } from '../../database/index.js'
import { requireVerified, type VerifiedQuote } from '../evidence/requireVerified.js'

/** The key as it was sealed before, and as the enclave sealed it again. */
export interface ResealedKey {
  key: SealedKey
  nonce: Hex
  answer: ResealKeyAnswer
}

export interface ToRecordReseal extends ResealWalletInput {
  resealed: ResealedKey
  verified: VerifiedQuote
}

/** The evidence that is kept of a resealed key. */
export function resealRecord(input: ToRecordReseal, now: Date): Reseal {
  const { walletId, coordinator, statement, resealed, verified } = input
  const { key, nonce, answer } = resealed
  requireVerified(verified, { kind: 'reseal', request: { ...key, nonce, coordinator, statement }, answer })
  return {
    walletId,
    version: answer.sealingVersion,
    sealedKeyHash: hashOfBytes(key.sealedKey),
    nextSealedKeyHash: hashOfBytes(answer.sealedKey),
    publicKey: answer.publicKey,
    platform: answer.platform,
    quote: answer.quote,
    runtimeEvents: answer.runtimeEvents,
    nonce,
    coordinator,
    statement,
    collateralCid: verified.collateralCid,
    tcbStatus: verified.tcbStatus,
    resealedAt: answer.resealedAt,
    createdAt: now.toISOString(),
  }
}
