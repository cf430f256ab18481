import type { ProofStatus } from '@perigee/sdk'

export interface StatusWords {
  short: string
  title: string
  meaning: string
  tone: 'good' | 'busy' | 'bad'
}

/** Every state in words: what it is, and what it means for the reader. */
const ofTransactions: Record<ProofStatus, StatusWords> = {
  pending_pin: {
    short: 'storing',
    title: 'The receipt is being stored',
    meaning:
      'The signature exists. Its receipt is waiting until the transaction is seen on its chain, and is then pinned to IPFS, usually within seconds. If the transaction is never sent, the receipt is still published later.',
    tone: 'busy',
  },
  pending_onchain: {
    short: 'publishing',
    title: 'The receipt is public; the chain is next',
    meaning: 'You can already verify the receipt. The chain event that points to it is not confirmed yet.',
    tone: 'busy',
  },
  complete: {
    short: 'complete',
    title: 'This signature has a complete public proof',
    meaning: 'The receipt is on IPFS, and an event on the chain leads from the transaction to it.',
    tone: 'good',
  },
  pin_failed: {
    short: 'not stored',
    title: 'The receipt could not be stored',
    meaning:
      'The signature was made, but its receipt could not be stored on IPFS, so there is nothing to verify yet. An operator can try again; this page then moves on by itself.',
    tone: 'bad',
  },
  onchain_failed: {
    short: 'not on chain',
    title: 'The receipt is public, but the chain event is missing',
    meaning:
      'The receipt stays verifiable. What is missing is the public pointer from the transaction to it. An operator can try again; this page then moves on by itself.',
    tone: 'bad',
  },
}

const ofBirths: Record<ProofStatus, StatusWords> = {
  pending_pin: {
    ...ofTransactions.pending_pin,
    meaning: 'The key exists. The receipt of its birth is being pinned to IPFS, usually within seconds.',
  },
  pending_onchain: ofTransactions.pending_onchain,
  complete: {
    ...ofTransactions.complete,
    title: 'The birth of this wallet has a complete public proof',
    meaning: 'The receipt is on IPFS, and an event on the chain leads from the wallet’s address to it.',
  },
  pin_failed: {
    ...ofTransactions.pin_failed,
    meaning:
      'The key was made, but the receipt of its birth could not be stored on IPFS, so there is nothing to verify yet. An operator can try again; this page then moves on by itself.',
  },
  onchain_failed: {
    ...ofTransactions.onchain_failed,
    meaning:
      'The receipt stays verifiable. What is missing is the public pointer from the wallet to it. An operator can try again; this page then moves on by itself.',
  },
}

const ofMessages: Record<ProofStatus, StatusWords> = {
  ...ofTransactions,
  pending_pin: {
    ...ofTransactions.pending_pin,
    meaning: 'The signature exists. Its receipt is being pinned to IPFS, usually within seconds.',
  },
  complete: {
    ...ofTransactions.complete,
    meaning: 'The receipt is on IPFS, and an event on the chain leads from the message’s commitment to it.',
  },
  onchain_failed: {
    ...ofTransactions.onchain_failed,
    meaning:
      'The receipt stays verifiable. What is missing is the public pointer from the message’s commitment to it. An operator can try again; this page then moves on by itself.',
  },
}

/** By what the proof is about, then by its state. */
export const statusWords = { transaction: ofTransactions, birth: ofBirths, message: ofMessages } as const
