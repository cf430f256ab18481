import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest, type Hex } from '@perigee/core'
import { ownersHash, type OwnersRecord } from '@perigee/core/authorisation'
import { attestationPublished } from '@perigee/core/proof'
import { createSoftPasskey } from '../core/authorisation/testing/createSoftPasskey.js'
import { approveOwners, ownersOf } from '../core/authorisation/testing/softOwners.js'
import { findWallet, findWalletByUser, getProof } from '../database/index.js'
import { newTransaction } from '../enclave/testing/createTestWorld.js'
import { run } from '../ops/run.js'
import { freshPublisher } from './harness/index.js'
import { backUp, restore } from './rigs/copyDatabase.js'
import { startAnvil } from './rigs/servers/startAnvil.js'
import type { SignCall } from './rigs/workers/createSigningCalls.js'
import { startService, type TestService } from './rigs/workers/startService.js'

/* The rehearsal of docs/operations.md, "Postgres is restored from a backup". */

let anvil: Awaited<ReturnType<typeof startAnvil>>
let service: TestService
beforeAll(async () => {
  anvil = await startAnvil() // a chain of its own: the test has to make blocks final
  const publisherKey = await freshPublisher(anvil.testChain)
  service = await startService({
    env: {
      CHAIN_RPC_URLS: anvil.rpcUrl,
      CONTRACT_ADDRESS: anvil.testChain.contractAddress,
      PUBLISHER_PRIVATE_KEYS: publisherKey,
      PUBLISHER_ADDRESSES: privateKeyToAddress(publisherKey),
    },
  })
  await service.startWorkers()
})
afterAll(async () => {
  await service.close()
  await anvil.close()
})

async function ops(...args: string[]) {
  const lines: string[] = []
  const console = { print: (line: string) => lines.push(line), complain: (line: string) => lines.push(line) }
  const code = await run([...args, '--json'], service.env, console)
  return { code, ...(JSON.parse(lines.join('\n')) as Found) }
}
interface Found {
  found: { kind: string; id: string }[]
  lost: { kind: string; id: string; why: string }[]
}
const sorted = (list: { kind: string; id: string }[]) => list.map(({ kind, id }) => `${kind} ${id}`).sort()

const call = (walletId: string): SignCall => {
  const transaction = newTransaction()
  return { walletId, transaction, digest: transactionDigest(transaction), expiresAtMs: Date.now() + 60_000 }
}
const sign = async (walletId: string) => {
  const request = call(walletId)
  return { request, ...(await service.sign(request)) }
}
const statusOf = async (slug: string) => (await getProof(service.database, slug))?.status
const completes = (slug: string) => expect.poll(() => statusOf(slug)).toBe('complete')
const eventsOf = (txHash: Hex) => anvil.client.getLogs({ event: attestationPublished, args: { txHash }, fromBlock: 0n })

async function personWithWallet() {
  const userId = await service.newUser()
  return { userId, ...(await service.provision(userId)) }
}

const birthOf = async (userId: string) => (await findWalletByUser(service.database, userId))?.birth?.slug ?? ''

test('what a database lost that was restored from a backup is found, put back and published; nothing is signed differently', async () => {
  const [alice, dave, bobId] = [await personWithWallet(), await personWithWallet(), await service.newUser()]
  const before = await sign(alice.walletId)
  await completes(before.slug)
  const since = new Date().toISOString()
  const backup = await backUp(service.config.databaseUrl)

  // The hour that the backup does not know: a wallet, signatures that were published, owners, a new person …
  const published = await sign(alice.walletId)
  const bob = await service.provision(bobId)
  const bobs = await sign(bob.walletId)
  const archived = await sign(alice.walletId)
  const phone = createSoftPasskey()
  const owners: OwnersRecord = ownersOf([phone])
  const approval = approveOwners(owners, { passkeys: [phone] }, { address: dave.address, current: null })
  await service.changeOwners(dave.walletId, { owners, approval, credentials: [] })
  const carol = await personWithWallet()
  const carols = await sign(carol.walletId)
  for (const { slug } of [published, bobs, archived, carols]) await completes(slug)
  for (const id of [alice.userId, dave.userId, bobId, carol.userId]) await completes(await birthOf(id))
  const known = new Map<string, Awaited<ReturnType<typeof getProof>>>()
  for (const { slug } of [published, bobs]) known.set(slug, await getProof(service.database, slug))
  const archivedCid = (await getProof(service.database, archived.slug))?.ipfsCid ?? ''
  // … and signatures that were answered and not published yet.
  await service.stopWorkers()
  await service.startWorkers(['sign'])
  const [pending, repeated] = [await sign(alice.walletId), await sign(alice.walletId)]
  for (const { request } of [pending, repeated]) {
    await service.client.workflow.getHandle(`sign/${alice.walletId}/${request.digest}`).result() // an open run would answer again
  }
  await service.stopWorkers()

  await restore(service.config.databaseUrl, backup)
  // An hour has passed: the samples that waited then are stale, and the events of that hour are final.
  await service.database.query('UPDATE entropy_samples SET fresh_until = fresh_until - 3600 WHERE purpose IS NULL')
  await anvil.client.mine({ blocks: 80 })
  for (const { slug } of [published, bobs, pending, repeated]) expect(await getProof(service.database, slug)).toBeNull()
  expect(await findWallet(service.database, bob.walletId)).toBeNull()

  // A caller who asks again before the recovery gets the same signature, under another name.
  await service.startWorkers(['sign'])
  const again = await service.sign({ ...repeated.request, expiresAtMs: Date.now() + 60_000 })
  expect(again.signature).toBe(repeated.signature)
  expect(again.slug).not.toBe(repeated.slug)
  await service.stopWorkers()

  // Temporal has deleted one history. Its receipt is on the chain and on IPFS.
  const workflowId = `sign/${alice.walletId}/${archived.request.digest}`
  await service.client.workflowService.deleteWorkflowExecution({
    namespace: service.namespace,
    workflowExecution: { workflowId },
  })
  const isGone = () => service.client.workflow.getHandle(workflowId).describe().then(() => false, () => true) // prettier-ignore
  await expect.poll(isGone).toBe(true) // the server tries again ever later while its own index lags
  const can = sorted([
    { kind: 'receipt', id: archivedCid },
    { kind: 'wallet', id: bob.address },
    { kind: 'owners', id: dave.walletId },
    ...[published, bobs, pending].map(({ slug }) => ({ kind: 'signature', id: slug })),
  ])
  const cannot = sorted([
    { kind: 'wallet', id: carol.address },
    { kind: 'signature', id: carols.slug },
    { kind: 'signature', id: repeated.slug },
  ])
  const looked = await ops('recover', '--since', since)
  expect([looked.code, sorted(looked.found), sorted(looked.lost)]).toEqual([3, can, cannot])
  expect(await findWallet(service.database, bob.walletId)).toBeNull() // it only looked

  const why = ['--apply', '--operator', 'ops-1', '--reason', 'restored']
  const done = await ops('recover', '--since', since, ...why)
  expect([done.code, sorted(done.found), sorted(done.lost)]).toEqual([3, can, cannot])
  const repeat = await ops('recover', '--since', since, ...why)
  expect([sorted(repeat.found), sorted(repeat.lost)]).toEqual([[], cannot])

  expect(ownersHash((await findWallet(service.database, dave.walletId))?.owners ?? null)).toBe(ownersHash(owners))
  await service.startWorkers()
  const birth = await birthOf(bobId)
  for (const slug of [published.slug, bobs.slug, pending.slug, again.slug, birth]) await completes(slug)
  for (const [slug, proof] of known) {
    const now = await getProof(service.database, slug)
    expect(now).toMatchObject({ ipfsCid: proof?.ipfsCid, txHash: proof?.txHash, onchainTxHash: proof?.onchainTxHash })
  }
  for (const slug of [published.slug, bobs.slug, pending.slug, again.slug, birth]) {
    const proof = await getProof(service.database, slug)
    expect((await eventsOf(proof?.txHash ?? '0x')).map(({ args }) => args.ipfsCid)).toEqual([proof?.ipfsCid])
  }
  for (const { request, signature, slug } of [before, published, bobs, pending]) {
    expect(await service.sign({ ...request, expiresAtMs: Date.now() + 60_000 })).toEqual({ signature, slug })
  }
  const found = await service.sign({ ...archived.request, expiresAtMs: Date.now() + 60_000 })
  expect(found.signature).toBe(archived.signature)
  await completes(found.slug)
  expect(await getProof(service.database, found.slug)).toMatchObject({ ipfsCid: archivedCid })
  expect(await eventsOf((await getProof(service.database, found.slug))?.txHash ?? '0x')).toHaveLength(1)
  await backup.drop()
})
