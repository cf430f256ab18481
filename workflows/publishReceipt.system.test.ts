import { createPublicClient, http, parseAbiItem } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cidOf } from '@perigee/core'
import { getProof } from '../database/index.js'
import { components } from '../tests/harness/index.js'
import { startPublishingRig, type PublishingRig } from '../workers/testing/startPublishing.js'

const event = parseAbiItem('event AttestationPublished(address indexed wallet, bytes32 indexed txHash, string ipfsCid)')
let rig: PublishingRig

beforeAll(async () => {
  rig = await startPublishingRig()
  await rig.startWorkers()
})
afterAll(() => rig.close())

test('a committed signature becomes a pinned receipt and one event, and the proof is complete', async () => {
  const input = await rig.seed()
  const handle = await rig.publish(input)
  expect(await handle.result()).toBe('complete')

  const proof = await getProof(rig.database, input.slug)
  expect(proof).toMatchObject({ status: 'complete', txHash: input.txHash, walletAddress: input.wallet })
  const receiptUrl = `${components().ipfsGatewayUrl}/ipfs/${proof?.ipfsCid ?? ''}`
  const bytes = new Uint8Array(await (await fetch(receiptUrl)).arrayBuffer())
  expect(cidOf(bytes)).toBe(proof?.ipfsCid)
  expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(proof?.receipt)

  const chain = createPublicClient({ transport: http(components().rpcUrl) })
  const logs = await chain.getLogs({ event, args: { txHash: input.txHash }, fromBlock: 0n })
  expect(logs.map(({ args }) => args.ipfsCid)).toEqual([proof?.ipfsCid])
  expect(logs[0]?.transactionHash).toBe(proof?.onchainTxHash)
  expect(Number(logs[0]?.blockNumber)).toBe(proof?.onchainBlockNumber)

  const { searchAttributes } = await handle.describe()
  expect(searchAttributes).toMatchObject({ ProofStatus: ['complete'], Cid: [proof?.ipfsCid] })
})
