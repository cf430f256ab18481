import { Client } from '@temporalio/client'
import type { StackFile } from '../dev/stack/stackFile.js'
import { connectTemporal } from '../dev/stack/stackTemporal.js'

export type TemporalPlace = Pick<StackFile, 'temporalAddress' | 'namespace' | 'temporalAccess'>

/** Does this with a client of a stack's Temporal. */
export async function withTemporal<T>(place: TemporalPlace, work: (client: Client) => Promise<T>): Promise<T> {
  const connection = await connectTemporal(place)
  try {
    return await work(new Client({ connection, namespace: place.namespace }))
  } finally {
    await connection.close()
  }
}
