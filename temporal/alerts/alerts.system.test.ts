import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { transactionDigest } from '@perigee/core'
import { createMeter } from '../../api/monitoring/createMeter.js'
import { freePort } from '../../dev/stack/processes/freePort.js'
import { buildProgram } from '../../dev/stack/programs/buildProgram.js'
import { newTransaction } from '../../enclave/testing/createTestWorld.js'
import { newWebhookSecret, writeWebhooksFile } from '../../tests/rigs/servers/startReceiver.js'
import { patiently } from '../../tests/rigs/patiently.js'
import { startService } from '../../tests/rigs/workers/startService.js'
import { metricsIn, readAlertRules } from '../testing/alertRules.js'

/** Metric name -> the labels of its series, each as `label` and as `label="value"`, from Prometheus text. */
function parseMetrics(page: string): Map<string, Set<string>> {
  const metrics = new Map<string, Set<string>>()
  for (const [, name = '', labels = ''] of page.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = metrics.get(name) ?? new Set()
    for (const [pair, label = ''] of labels.matchAll(/(\w+)="[^"]*"/g)) known.add(label).add(pair)
    metrics.set(name, known)
  }
  return metrics
}

test('a running worker and the API expose every metric and label that the alert rules use, with buckets in milliseconds', async () => {
  const webhooks = await writeWebhooksFile([
    { name: 'shop', url: 'http://127.0.0.1:9/', secrets: [newWebhookSecret()], events: ['proof.failed'] },
  ])
  const service = await startService({ env: { WEBHOOKS_FILE: webhooks.path } })
  const address = `127.0.0.1:${await freePort()}`
  const program = await buildProgram(new URL('../../workers/main.ts', import.meta.url))
  const worker = spawn(process.execPath, [program], {
    env: { ...process.env, ...service.env, WORKER_METRICS_ADDRESS: address },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const scrape = () =>
    fetch(`http://${address}/metrics`).then(
      (page) => page.text(),
      () => 'not yet',
    )
  try {
    await expect.poll(scrape, { interval: 500 }).toContain('perigee_publish_waiting')
    const userId = await service.newUser()
    const { walletId } = await patiently(() => service.provision(userId))
    const transaction = newTransaction()
    const call = { walletId, transaction, digest: transactionDigest(transaction) }
    const signed = await patiently(() => service.sign(call))
    expect(await service.publicationOf(signed.slug)).toBe('complete')
    // A workflow that this build does not have: its workflow task fails.
    const unknown = await service.client.workflow.start('noSuchWorkflow', { workflowId: 'unknown', taskQueue: 'sign' })

    await expect.poll(scrape).toContain('temporal_workflow_task_execution_failed')
    await expect.poll(scrape, { interval: 500 }).toContain('perigee_collateral_age')
    await unknown.terminate()
    const page = await scrape()
    const aliveAt = Number(/^perigee_worker_alive_at ([0-9]+)/m.exec(page)?.[1])
    expect(Date.now() / 1000 - aliveAt).toBeLessThan(60) // the manifests' liveness probe reads it
    const metrics = parseMetrics(page + (await createMeter(service.database).registry.metrics()))
    for (const { alert, expr } of readAlertRules()) {
      for (const { metric, labels, values } of metricsIn(expr)) {
        expect([...metrics.keys()], alert).toContain(metric)
        const known = [...(metrics.get(metric) ?? [])]
        expect(known, `${alert}: ${metric}`).toEqual(expect.arrayContaining([...labels, ...values]))
      }
    }
    for (const le of [1, 5, 20, 200]) {
      expect(page).toMatch(new RegExp(`temporal_workflow_task_schedule_to_start_latency_bucket\\{.*le="${le}"`))
    }
  } finally {
    worker.kill('SIGTERM')
    await once(worker, 'exit')
    await service.close()
    await webhooks.remove()
  }
})
