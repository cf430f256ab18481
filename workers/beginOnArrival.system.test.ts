import { NativeConnection } from '@temporalio/worker'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { transactionDigest } from '@perigee/core'
import type { SignDigestInput } from '@perigee/core/workflow'
import { newTransaction } from '../enclave/testing/createTestWorld.js'
import { temporalClientOn } from '../temporal/index.js'
import { parseCodecKeys } from '../temporal/codec/codecKeys.js'
import { testCodecKey } from '../temporal/testing/keepHistory.js'
import { components, freshNamespace } from '../tests/harness/index.js'
import { cachedBundle } from './cachedBundle.js'
import { createWorkers } from './createWorkers.js'

test('a signature is begun when its task arrives: here its activity waits for that', async () => {
  const connection = await NativeConnection.connect({ address: components().temporalAddress })
  try {
    const codecKeys = parseCodecKeys(testCodecKey, () => undefined)
    const temporal = { address: components().temporalAddress, namespace: await freshNamespace(), codecKeys }
    let arrive: (input: SignDigestInput) => void = () => undefined
    const arrival = new Promise<SignDigestInput>((resolve) => (arrive = resolve))
    const arrived = (input: SignDigestInput) => void arrive(input) as undefined
    const signed = {
      signature: '0x01',
      slug: 'slug',
      txHash: '0x02',
      wallet: '0x03',
      chainId: 1,
      publishing: true,
    } as const
    const [worker] = await createWorkers({
      ...{ connection, temporal, queues: ['sign'], log: pino({ level: 'silent' }) },
      activities: { arrived, signing: { signTransaction: () => arrival.then(() => signed) } },
      workflowBundle: await cachedBundle(),
    })
    const transaction = newTransaction()
    const call = { walletId: crypto.randomUUID(), transaction, digest: transactionDigest(transaction) }
    const client = temporalClientOn(connection, temporal)
    expect(await worker?.runUntil(client.signDigest(call))).toEqual({ signature: '0x01', slug: 'slug' })
    expect(await arrival).toMatchObject(call)
  } finally {
    await connection.close()
  }
})
