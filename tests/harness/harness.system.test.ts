import { WorkflowClient } from '@temporalio/client'
import pg from 'pg'
import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { serviceAttestationsAbi } from '../../contracts/index.js'
import { connectTemporal } from '../../dev/stack/stackTemporal.js'
import { components, freshDatabase, freshNamespace, freshPublisher } from './index.js'

test('a fresh database has the schema and is gone after drop', async () => {
  const database = await freshDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM wallets')
  expect(rows[0]?.count).toBe('0')
  await client.end()
  await database.drop()
  await expect(new pg.Client({ connectionString: database.url }).connect()).rejects.toMatchObject({ code: '3D000' })
})

test('a fresh namespace starts workflows that carry the search attributes', async () => {
  const namespace = await freshNamespace()
  const connection = await connectTemporal(components())
  const client = new WorkflowClient({ connection, namespace })
  const handle = await client.start('nobodyRunsThis', {
    workflowId: 'receipt/x',
    taskQueue: 'nobody',
    searchAttributes: { ProofStatus: ['pending_pin'], ChainId: [1] },
  })
  const found = async () => (await client.count("ProofStatus = 'pending_pin' AND ChainId = 1")).count
  await expect.poll(found).toBe(1)
  await handle.terminate()
  await connection.close()
})

test('a fresh publisher may publish', async () => {
  const { rpcUrl, contractAddress } = components()
  const keys = await Promise.all([freshPublisher(), freshPublisher(), freshPublisher()])
  const chain = createPublicClient({ transport: http(rpcUrl) })
  for (const key of keys) {
    const args = [privateKeyToAccount(key).address] as const
    const call = { address: contractAddress, abi: serviceAttestationsAbi, functionName: 'isPublisher', args } as const
    await expect(chain.readContract(call)).resolves.toBe(true)
  }
})

test('the IPFS node stores a raw block and gives it back through its gateway', async () => {
  const { ipfsApiUrl, ipfsGatewayUrl } = components()
  const body = new FormData()
  body.append('data', new Blob(['perigee']))
  const put = await fetch(`${ipfsApiUrl}/api/v0/block/put?cid-codec=raw&pin=true`, { method: 'POST', body })
  const { Key } = (await put.json()) as { Key: string }
  expect(Key).toMatch(/^bafkrei/)
  const got = await fetch(`${ipfsGatewayUrl}/ipfs/${Key}?format=raw`)
  await expect(got.text()).resolves.toBe('perigee')
})
