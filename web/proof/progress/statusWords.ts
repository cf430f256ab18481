import type { ProofStatus } from '@perigee/sdk'

export interface StatusWords {
  short: string
  title: string
  meaning: string
  tone: 'good' | 'busy' | 'bad'
}

/** What differs by what a proof is about. `pointer`: from where the event leads to the receipt. */
type About = Record<'whose' | 'waiting' | 'notStored' | 'pointer', string>

const again = 'An operator can try again; this page then moves on by itself.'

/** Every state in words: what it is, and what it means for the reader. */
function wordsAbout({ whose, waiting, notStored, pointer }: About): Record<ProofStatus, StatusWords> {
  return {
    pending_pin: {
      short: 'storing',
      title: 'The receipt is being stored',
      meaning: waiting,
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
      title: `${whose} has a complete public proof`,
      meaning: `The receipt is on IPFS, and an event on the chain leads from ${pointer} to it.`,
      tone: 'good',
    },
    pin_failed: {
      short: 'not stored',
      title: 'The receipt could not be stored',
      meaning: `${notStored} could not be stored on IPFS, so there is nothing to verify yet. ${again}`,
      tone: 'bad',
    },
    onchain_failed: {
      short: 'not on chain',
      title: 'The receipt is public, but the chain event is missing',
      meaning: `The receipt stays verifiable. What is missing is the public pointer from ${pointer} to it. ${again}`,
      tone: 'bad',
    },
  }
}

const signature = {
  whose: 'This signature',
  waiting: 'The signature exists. Its receipt is being pinned to IPFS, usually within seconds.',
  notStored: 'The signature was made, but its receipt',
}

/** By what the proof is about, then by its state. */
export const statusWords = {
  transaction: wordsAbout({
    ...signature,
    waiting:
      'The signature exists. Its receipt is waiting until the transaction is seen on its chain, and is then pinned to IPFS, usually within seconds. If the transaction is never sent, the receipt is still published later.',
    pointer: 'the transaction',
  }),
  message: wordsAbout({ ...signature, pointer: 'the message’s commitment' }),
  birth: wordsAbout({
    whose: 'The birth of this wallet',
    waiting: 'The key exists. The receipt of its birth is being pinned to IPFS, usually within seconds.',
    notStored: 'The key was made, but the receipt of its birth',
    pointer: 'the wallet’s address',
  }),
}
