import { createSecretKey, randomBytes } from 'node:crypto'
import type { ConnectionLike } from '@temporalio/client'
import { expect, test } from 'vitest'
import { temporalClientOn } from './createTemporalClient.js'

test('a proof is not waited for longer than said, whatever Temporal’s client waits for', async () => {
  // As its client does when the server refused and it pauses before it asks again.
  const forever = () => new Promise<never>(() => undefined)
  const connection = {
    workflowService: { queryWorkflow: forever },
    withDeadline: (_deadline: unknown, work: () => Promise<unknown>) => work(),
  } as unknown as ConnectionLike
  const codecKeys = [{ id: 'test', key: createSecretKey(randomBytes(32)) }]
  const client = temporalClientOn(connection, { namespace: 'test', codecKeys })
  expect(await client.queryProof('slug', 20)).toBeNull()
})
