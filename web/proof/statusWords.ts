import type { ProofStatus } from '@perigee/sdk'

export interface StatusWords {
  short: string
  title: string
  meaning: string
  tone: 'good' | 'busy' | 'bad'
}

/** Every state in plain words: what it is, and what it means for the reader. */
export const statusWords: Record<ProofStatus, StatusWords> = {
  pending_pin: {
    short: 'storing',
    title: 'The receipt is being stored',
    meaning: 'The signature exists. Its receipt is written and on its way to IPFS, usually within seconds.',
    tone: 'busy',
  },
  pending_onchain: {
    short: 'publishing',
    title: 'The receipt is public; the chain is next',
    meaning: 'You can verify the receipt already. The chain event that points to it is not confirmed yet.',
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
      'The signature was made, but no IPFS node has taken its receipt, so there is nothing to verify yet. An operator can try again; this page then moves on by itself.',
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
