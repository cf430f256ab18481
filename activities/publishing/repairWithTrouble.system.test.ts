import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { getProof, type OnchainPlace } from '../../database/index.js'
import type { ChainConfig } from '../../clients/chain/ChainConfig.js'
import { createChain } from '../../clients/chain/createChain.js'
import { fund } from '../../tests/harness/index.js'
import { useChainRig } from '../../tests/rigs/publishing/useChainRig.js'
import { createFaultyProxy } from '../../tests/rigs/servers/createFaultyProxy.js'
import { startForgingRpc } from '../../tests/rigs/servers/startForgingRpc.js'
import { installQuietRuntime } from '../../tests/rigs/workers/quietRuntime.js'

/* What the chain's part of repairProofs gets done when something is in its way. */

installQuietRuntime()
const rig = useChainRig({ oldRights: true })
const { activities, env, offered, pinned, publish, slots } = rig

const reopenReorged = (changes: Partial<ChainConfig> = {}): Promise<string[]> =>
  env.run(activities(changes).reopenReorged, { seconds: 3600 })

/** Its transaction is sent, and then the worker that follows it dies. */
async function leaveInFlight(inFlight: number) {
  const proof = await pinned()
  const dying = new MockActivityEnvironment(undefined, { logger: new DefaultLogger('ERROR') })
  const abandoned = dying.run(activities({ maxBatch: 1 }).publishOnchain, { slug: proof.slug })
  await offered(inFlight)
  dying.cancel()
  await expect(abandoned).rejects.toThrow()
  return proof
}

async function dropPending(): Promise<void> {
  const { pending } = await rig.anvil.client.getTxpoolContent()
  const transactions = Object.values(pending).flatMap((byNonce) => Object.values(byNonce))
  for (const { hash } of transactions) await rig.anvil.client.dropTransaction({ hash })
}

test('an RPC that hangs does not delay the search for reorgs, and does not hide one', async () => {
  const places: OnchainPlace[] = []
  while (places.length < 3) places.push(await publish((await pinned()).slug))
  const hanging = await createFaultyProxy(rig.anvil.rpcUrl)
  hanging.set('hang')
  const rpcUrls = [rig.anvil.rpcUrl, hanging.url]
  const from = Date.now()
  expect(await reopenReorged({ rpcUrls })).toEqual([])
  expect(Date.now() - from).toBeLessThan(7_000) // less than one timeout of an RPC
  await rig.anvil.reorg(1)
  const { isReorged } = createChain(rig.config({ rpcUrls }))
  const search = places.map((place) => isReorged(BigInt(place.onchainBlockNumber), place.onchainBlockHash))
  expect(await Promise.all(search)).toEqual([false, false, true])
  await hanging.close()
})

test('a key that cannot pay for its next transaction closes those that are mined', async () => {
  await rig.anvil.client.setAutomine(false)
  await leaveInFlight(1)
  await leaveInFlight(2)
  const [, second] = await rig.database.query<{ tx_hash: `0x${string}` }[]>(
    'SELECT tx_hash FROM publisher_transactions ORDER BY created_at',
  )
  await rig.anvil.client.dropTransaction({ hash: second?.tx_hash ?? '0x' })
  await rig.anvil.client.mine({ blocks: 1 })
  await fund(privateKeyToAccount(rig.key).address, '0.0000000001', rig.anvil.rpcUrl)
  await reopenReorged()
  expect(await slots()).toMatchObject([
    { nonce: 0, state: 'confirmed' },
    { nonce: 1, state: 'open' },
  ])
})

test('transactions in flight are sent again although the search for reorgs fails', async () => {
  await rig.anvil.client.setAutomine(false)
  const { slug } = await leaveInFlight(1)
  await dropPending()
  const headless = await startForgingRpc(rig.anvil.rpcUrl, {
    eth_blockNumber: () => Promise.reject(new Error('no head')),
  })
  const failed = reopenReorged({ rpcUrls: [headless.url] })
  await expect(failed).rejects.toMatchObject({ code: 'chain_unavailable' })
  await headless.close()
  await offered(1)
  expect(await getProof(rig.database, slug)).toMatchObject({ status: 'pending_onchain' })
})
