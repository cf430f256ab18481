import { encodeAbiParameters, encodeEventTopics } from 'viem'
import { describe, expect, test } from 'vitest'
import { cidOf } from '../../bytes/index.js'
import type { PublishedEvent } from '../verify/index.js'
import { attestationPublished } from '../../proof/attestationPublished.js'
import { readEvents } from './readEvents.js'
import type { Rpc } from './readLogs.js'

const blockHash = `0x${'0c'.repeat(32)}`
const event: PublishedEvent = {
  chainId: 5,
  contract: `0x${'aa'.repeat(20)}`,
  wallet: `0x${'bb'.repeat(20)}`,
  txHash: `0x${'cc'.repeat(32)}`,
  ipfsCid: cidOf(new Uint8Array()),
  transactionHash: `0x${'dd'.repeat(32)}`,
  blockNumber: 7,
  blockTimestamp: 1000,
  confirmations: 2,
}
const log = {
  address: event.contract,
  topics: encodeEventTopics({ abi: [attestationPublished], args: event }),
  data: encodeAbiParameters([{ type: 'string' }], [event.ipfsCid]),
  blockNumber: '0x7',
  blockHash,
  transactionHash: event.transactionHash,
  removed: false,
}
const answering =
  (logs: unknown, block: unknown = { hash: blockHash, timestamp: '0x3e8' }): Rpc =>
  async (method) =>
    method === 'eth_getLogs' ? logs : method === 'eth_getBlockByNumber' ? block : '0x8'
const query = { chainId: event.chainId, contract: event.contract, txHashes: [event.txHash], fromBlock: 0 }

describe('readEvents', () => {
  test('reads what the contract emitted for the transaction, with the time and confirmations of its block', async () => {
    await expect(readEvents(answering([log]), query)).resolves.toEqual([event])
    await expect(readEvents(answering([]), query)).resolves.toEqual([])
  })

  test.each<[string, unknown, unknown?]>([
    ['no list', 'logs'],
    ['too many logs', Array(101).fill(log)],
    ['a block without a usable time', [log], { hash: blockHash, timestamp: 'soon' }],
    ['null for a log', [null]],
    ['a log without topics', [{ ...log, topics: [] }]],
    ['a log of another contract', [{ ...log, address: `0x${'01'.repeat(20)}` }]],
    ['a log of another transaction', [{ ...log, topics: [...log.topics.slice(0, 2), `0x${'01'.repeat(32)}`] }]],
    ['a log that a reorg removed', [{ ...log, removed: true }]],
    ['a log of a block that is not in its chain', [log], { hash: `0x${'01'.repeat(32)}`, timestamp: '0x1' }],
    ['a log of an unknown block', [log], null],
  ])('refuses a node that sends %s', async (_, logs, block) => {
    await expect(readEvents(answering(logs, block), query)).rejects.toMatchObject({ code: 'chain_unavailable' })
  })

  test.each(['soon', null, 8, '0x', {}])('refuses a node whose newest block is %j', async (head) => {
    const rpc: Rpc = async (method, params) => (method === 'eth_blockNumber' ? head : answering([log])(method, params))
    await expect(readEvents(rpc, query)).rejects.toMatchObject({ code: 'chain_unavailable' })
  })
})
