import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Address, Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { queryOnce } from '../../dev/stack/components/postgres.js'
import type { Secrets } from '../../dev/stack/settings/secrets.js'
import { freshPublisher, fund, letPublish } from '../../tests/harness/index.js'
import type { Rig } from './openRig.js'

export const secretsOf = ({ run }: Rig): Secrets =>
  JSON.parse(readFileSync(join(run.dir, 'secrets.json'), 'utf8')) as Secrets

const chainOf = (rig: Rig) => ({ ...rig.stack.file, contractOwnerKey: secretsOf(rig).contractOwnerKey })

/** A funded key that the contract's owner has made a publisher. Of keys that are equally busy, the richest publishes. */
export async function addPublisher(rig: Rig): Promise<Hex> {
  const key = await freshPublisher(chainOf(rig))
  await fund(privateKeyToAddress(key), '2000', rig.stack.file.rpcUrl)
  return key
}

/** The owner takes the right away again. */
export const removePublisher = (rig: Rig, publisher: Address) => letPublish(chainOf(rig), publisher, false)

/** How many nonces of a key are in the records, and how many of them are open. */
export async function countSlots({ stack }: Rig, sender: Address): Promise<{ all: number; open: number }> {
  const sql = `SELECT count(*)::int AS all, count(*) FILTER (WHERE state = 'open')::int AS open
                 FROM publisher_slots WHERE lower(sender) = '${sender.toLowerCase()}'`
  const [row] = await queryOnce<{ all: number; open: number }>(stack.file.databaseUrl, sql)
  return row ?? { all: 0, open: 0 }
}
