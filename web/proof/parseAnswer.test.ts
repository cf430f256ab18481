import type { ProofPayload } from '@perigee/sdk'
import { expect, test } from 'vitest'
import { parseAnswer } from './parseAnswer.js'

const good: ProofPayload = {
  slug: 'a-slug',
  kind: 'transaction',
  txHash: `0x${'ab'.repeat(32)}`,
  chainId: 1,
  walletAddress: `0x${'Ab'.repeat(20)}`,
  status: 'complete',
  ipfsCid: `baf${'k'.repeat(56)}`,
  ipfsUrl: null,
  onchainTxHash: `0x${'cd'.repeat(32)}`,
  onchainBlockNumber: 7,
  kmsQuoteVerified: true,
  receipt: null,
  createdAt: '2026-11-16T00:00:00.000Z',
}

test('takes an answer about this proof, also one that is not published yet', () => {
  expect(parseAnswer(good, 'a-slug')).toBe(good)
  const early = { ...good, status: 'pending_pin', ipfsCid: null, onchainTxHash: null, onchainBlockNumber: null }
  expect(parseAnswer(early, 'a-slug')).toBe(early)
  const message = { ...good, kind: 'message', chainId: 0 }
  expect(parseAnswer(message, 'a-slug')).toBe(message)
})

test.each<[string, unknown]>([
  ['nothing', null],
  ['text', 'a-slug'],
  ['another slug', { ...good, slug: 'another' }],
  ['a kind from Object’s prototype', { ...good, kind: '__proto__' }],
  ['a status from Object’s prototype', { ...good, status: 'toString' }],
  ['a CID that a shell would run', { ...good, ipfsCid: '$(id)' }],
  ['a CID with a line of its own', { ...good, ipfsCid: `${good.ipfsCid}\nid` }],
  ['a script for a hash', { ...good, txHash: 'javascript:alert(1)' }],
  ['a path for a wallet', { ...good, walletAddress: '../../p/other' }],
  ['text for a chain', { ...good, chainId: '1' }],
  ['an object for the event', { ...good, onchainTxHash: {} }],
  ['a fraction for a block', { ...good, onchainBlockNumber: 0.5 }],
  ['no time', { ...good, createdAt: 'soon' }],
])('refuses %s', (_, answer) => {
  expect(() => parseAnswer(answer, 'a-slug')).toThrow(expect.objectContaining({ code: 'bad_response' }))
})
