import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createWalletClient, http, publicActions, type Address, type Hex } from 'viem'
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { serviceAttestationsAbi } from '../../contracts/index.js'
import { queryOnce } from '../../dev/stack/components/postgres.js'
import type { Secrets } from '../../dev/stack/settings/secrets.js'
import { freshPublisher, fund } from '../../tests/harness/index.js'
import type { Rig } from './openRig.js'

export const secretsOf = ({ run }: Rig): Secrets =>
  JSON.parse(readFileSync(join(run.dir, 'secrets.json'), 'utf8')) as Secrets

/** A funded key that the contract's owner has made a publisher. Of keys that are equally busy, the richest publishes. */
export async function addPublisher(rig: Rig): Promise<Hex> {
  const { file } = rig.stack
  const key = await freshPublisher({ ...file, contractOwnerKey: secretsOf(rig).contractOwnerKey })
  await fund(privateKeyToAddress(key), '2000', file.rpcUrl)
  return key
}

/** The owner takes the right away again. */
export async function removePublisher(rig: Rig, publisher: Address): Promise<void> {
  const { contractAddress, rpcUrl } = rig.stack.file
  const account = privateKeyToAccount(secretsOf(rig).contractOwnerKey)
  const owner = createWalletClient({ account, chain: foundry, transport: http(rpcUrl) }).extend(publicActions)
  const call = { address: contractAddress, abi: serviceAttestationsAbi, args: [publisher] } as const
  await owner.waitForTransactionReceipt({
    hash: await owner.writeContract({ ...call, functionName: 'removePublisher' }),
    pollingInterval: 50,
  })
}

/** How many nonces of a key are in the records, and how many of them are open. */
export async function countSlots({ stack }: Rig, sender: Address): Promise<{ all: number; open: number }> {
  const sql = `SELECT count(*)::int AS all, count(*) FILTER (WHERE state = 'open')::int AS open
                 FROM publisher_slots WHERE lower(sender) = '${sender.toLowerCase()}'`
  const [row] = await queryOnce<{ all: number; open: number }>(stack.file.databaseUrl, sql)
  return row ?? { all: 0, open: 0 }
}
