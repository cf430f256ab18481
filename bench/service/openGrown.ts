import type { DataSource } from 'typeorm'
import { privateKeyToAddress } from 'viem/accounts'
import { openDatabase } from '../../database/index.js'
import { freshDatabase, freshNamespace, freshPublisher } from '../../tests/harness/index.js'
import { openPerson } from '../stack/openPerson.js'
import type { BenchStack } from '../stack/openStack.js'
import { startApiBeside, startBeside } from '../stack/startBeside.js'
import { addProofs, someCopies } from './addProofs.js'

/** An API and a worker on a database, a namespace and a publisher of their own, with this many proofs already there. */
export async function openGrown(stack: BenchStack, proofs: number, slugs: number) {
  const closing: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    for (const step of closing.reverse()) await step()
  }
  try {
    const [fresh, namespace, key] = [await freshDatabase(), await freshNamespace(), await freshPublisher()]
    closing.push(() => fresh.drop())
    // A hundred thousand proofs are made in silence.
    const database: DataSource = await openDatabase({ url: fresh.url, silentMs: 600_000 })
    closing.push(() => database.destroy())
    const env = {
      ...{ DATABASE_URL: fresh.url, TEMPORAL_NAMESPACE: namespace },
      ...{ PUBLISHER_PRIVATE_KEYS: key, PUBLISHER_ADDRESSES: privateKeyToAddress(key) },
      ENTROPY_SUPPLY_TARGET: '128',
    }
    const worker = await startBeside(stack, 'workers/main.ts', env)
    closing.push(worker.close)
    const api = await startApiBeside(stack, env)
    closing.push(api.close)
    const person = await openPerson(stack, { url: api.url, database })
    await person.whenComplete(await person.sign())
    await addProofs(database, proofs)
    return { person, copies: await someCopies(database, slugs), close }
  } catch (error) {
    await close()
    throw error
  }
}

export type Grown = Awaited<ReturnType<typeof openGrown>>
