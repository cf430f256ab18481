import { afterEach, expect, test, vi } from 'vitest'
import { cidOf } from '@perigee/core/bytes'
import type { PublishedLog } from '@perigee/core/receipt/gather'
import { permit } from '../../../core/message/testing/typedData.js'
import { mintMessage } from '../../../core/receipt/testing/mintMessage.js'
import { mintReceipt } from '../../../core/receipt/testing/mintReceipt.js'
import { createSimulatedWorld } from '../../../core/receipt/testing/simulatedWorld.js'
import type { WebConfig } from '../../config/WebConfig.js'
import { readReceipt } from './readReceipt.js'

const world = await createSimulatedWorld()
const { receipt, evidence } = mintReceipt(world)
const { transaction } = receipt
const { chainId } = transaction
const message = mintMessage(world, { scheme: 'eip712', typedData: permit })
const ofMessage = { txHash: message.receipt.message.commitment, wallet: message.receipt.message.from }
const config = { chainId, rpcUrl: 'http://node.test', ipfsGatewayUrl: 'http://gateway.test' } as WebConfig
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

afterEach(() => vi.unstubAllGlobals())

/** A gateway that has these bytes, and a node that has included every transaction. */
function read(
  bytes: Uint8Array,
  event: { txHash: string; wallet: string } = { txHash: transaction.txHash, wallet: transaction.from },
) {
  const mined = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { hash: event.txHash, blockNumber: '0x1' } })
  vi.stubGlobal('fetch', async (url: string | URL | Request) =>
    String(url).includes('/ipfs/') ? new Response(bytes as BodyInit) : new Response(mined),
  )
  return readReceipt(config, { ...event, ipfsCid: cidOf(bytes) } as PublishedLog)
}

test('a receipt is read, and its transaction is on the chain', async () => {
  expect(await read(evidence.receipt)).toEqual({
    transaction: expect.objectContaining({ nonce: transaction.nonce }),
    mined: true,
  })
  expect(await read(message.evidence.receipt, ofMessage)).toEqual({ message: { isTyped: true } })
})

test.each([
  ['a transaction alone', encode({ transaction }), 'parse_failed'],
  ['a message alone', encode({ version: 'perigee-message/1', message: message.receipt.message }), 'parse_failed', ofMessage],
  ['a receipt in another spelling', new TextEncoder().encode(JSON.stringify(receipt, null, 1)), 'parse_failed'],
  ['what is no JSON', new TextEncoder().encode('{'), 'parse_failed'],
  ['a birth', evidence.birth.receipt, 'claim_mismatch'],
  ['a message', message.evidence.receipt, 'claim_mismatch'],
])('%s is not counted as the receipt of the event', async (_, bytes, code, event?: typeof ofMessage) => {
  await expect(read(bytes, event)).rejects.toMatchObject({ code })
}) // prettier-ignore

test('a receipt about another transaction or wallet than its event says is refused', async () => {
  const mismatch = { code: 'claim_mismatch' }
  const { txHash, from: wallet } = transaction
  await expect(read(evidence.receipt, { txHash: `0x${'01'.repeat(32)}`, wallet })).rejects.toMatchObject(mismatch)
  await expect(read(evidence.receipt, { txHash, wallet: `0x${'01'.repeat(20)}` })).rejects.toMatchObject({
    code: 'signature_invalid',
  })
})
