import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkTemporal, type TemporalPlace } from '../../../temporal/index.js'
import { components } from '../../../tests/harness/index.js'
import { lookForTemporalServer } from '../binaries/index.js'
import { createStackFolder, type StackFolder } from '../createStackFolder.js'
import { freePort } from '../processes/freePort.js'
import { openLeash } from '../processes/Leash.js'
import { startAll, type Started } from '../processes/startComponent.js'
import { connectTemporal, placeOf } from '../stackTemporal.js'
import { createCluster } from './createCluster.js'

const programs = await lookForTemporalServer(process.env)
const refused = { code: 7 }

// Only where the server has been built: `npm start -- --cluster` does that once.
describe.skipIf(!programs)('a Temporal cluster', () => {
  let place: StackFolder
  let cluster: Awaited<ReturnType<typeof createCluster>>
  const leash = openLeash()
  const running = new Map<string, Started>()

  beforeAll(async () => {
    place = await createStackFolder('cluster-test')
    cluster = await createCluster({
      dir: place.dir,
      programs: programs ?? { server: '', sqlTool: '' },
      env: process.env,
      port: await freePort(),
      databaseUrl: components().databaseUrl,
    })
    await cluster.start(async (wanted) => {
      for (const [name, program] of await startAll(wanted, leash, join(place.dir, 'logs'))) running.set(name, program)
    })
  })
  afterAll(async () => {
    for (const { pid } of running.values()) process.kill(pid, 'SIGKILL') // nothing is kept, so nothing is drained
    await leash.close()
    await place.remove()
  })

  test('the service token starts workflows in its namespace and creates nothing else', async () => {
    await checkTemporal(placeOf(cluster.temporal))
    const connection = await connectTemporal(cluster.temporal)
    const { workflowService, operatorService } = connection
    const start = (namespace: string) =>
      new Client({ connection, namespace }).workflow.start('nobodyRunsThis', { workflowId: 'x', taskQueue: 'nobody' })
    await (await start('perigee')).terminate()
    await expect(start('temporal-system')).rejects.toMatchObject({ cause: refused })
    const workflowExecutionRetentionPeriod = { seconds: 86_400 as never }
    const namespace = { namespace: 'mine', workflowExecutionRetentionPeriod }
    await expect(workflowService.registerNamespace(namespace)).rejects.toMatchObject(refused)
    const attribute = { namespace: 'perigee', searchAttributes: { Mine: 2 } }
    await expect(operatorService.addSearchAttributes(attribute)).rejects.toMatchObject(refused)
    await connection.close()
  })

  test('no token, no certificate, and our certificate inside the cluster: all are refused', async () => {
    const good = placeOf(cluster.temporal)
    const problemOf = (wrong: Partial<TemporalPlace>) => checkTemporal({ ...good, ...wrong })
    await expect(problemOf({ apiKey: null })).rejects.toMatchObject({ code: 'temporal_unauthorised' })
    await expect(problemOf({ apiKey: `${good.apiKey}x` })).rejects.toMatchObject({ code: 'temporal_unauthorised' })
    await expect(problemOf({ namespace: 'elsewhere' })).rejects.toMatchObject({ code: 'temporal_unauthorised' })
    await expect(problemOf({ tls: null, apiKey: null })).rejects.toMatchObject({ code: 'temporal_tls' })
    const { clientCertPair: _, ...withoutPair } = good.tls as Exclude<TemporalPlace['tls'], true | null>
    await expect(problemOf({ tls: withoutPair })).rejects.toMatchObject({ code: 'temporal_tls' })
    const config = await readFile(join(place.dir, 'cluster', 'temporal-history-1.yaml'), 'utf8')
    const { services } = JSON.parse(config) as { services: Record<string, { rpc: { grpcPort: number } }> }
    for (const role of ['internal-frontend', 'history', 'matching']) {
      const address = `127.0.0.11:${services[role]?.rpc.grpcPort}`
      const tls = { ...(good.tls as object), serverNameOverride: 'internode.temporal.test' }
      await expect(problemOf({ address, tls }), role).rejects.toMatchObject({ code: 'temporal_tls' })
    }
  })

  test('one history process of two may die', async () => {
    const victim = running.get('temporal-history-1')
    if (!victim) throw new Error('there is no such process')
    process.kill(victim.pid, 'SIGKILL')
    running.delete('temporal-history-1')
    const connection = await connectTemporal(cluster.temporal)
    const { workflow } = new Client({ connection, namespace: 'perigee' })
    // On enough shards that some of them have moved.
    const starts = Array.from({ length: 20 }, (_, index) =>
      workflow.start('nobodyRunsThis', { workflowId: `after-${index}`, taskQueue: 'nobody' }),
    )
    for (const handle of await Promise.all(starts)) await handle.terminate()
    await connection.close()
  })
})
