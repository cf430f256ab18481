import { searchAttributeTypes } from '@perigee/core/workflow'
import { Connection } from '@temporalio/client'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Component } from './Component.js'
import { serviceName } from './names.js'
import type { ServerOptions } from './ServerOptions.js'

/** For tests, which make dozens of namespaces and leave them, and share two cores. */
const thriftySettings = {
  // Every task queue is four by default, each of them loaded, polled and forwarding its backlog to the first.
  'matching.numTaskqueueReadPartitions': '1',
  'matching.numTaskqueueWritePartitions': '1',
  'matching.maxTaskQueueIdleTime': '"30s"',
  // The server walks through all its metrics every second.
  'metrics.breakdownByTaskQueue': 'false',
}
/** One thread for Go keeps up with the tests, and collects garbage less often. */
const thriftyEnv = { GOMAXPROCS: '1', GOGC: '400' }

const dynamic = (values: Record<string, string>): string[] =>
  Object.entries(values).flatMap(([name, value]) => ['--dynamic-config-value', `${name}=${value}`])

/** The Temporal CLI's dev server: a whole Temporal in one process, on loopback. If it is not durable: in memory, no UI. */
export function createTemporal({ dir, ports, programs, durable, env, thrifty = !durable }: ServerOptions): Component {
  const file = join(dir, 'temporal', 'temporal.db')
  const lasting = [
    ...['--ui-ip', '127.0.0.1', '--ui-port', String(ports.temporalUi)],
    ...['--ui-codec-endpoint', `http://localhost:${ports.codec}`], // the UI asks here for decoded payloads
    // A file is as fast as memory with these two settings, and slower by a third without.
    ...['--db-filename', file, '--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal'],
  ]
  return {
    name: 'temporal',
    stopSignal: 'SIGINT',
    async prepare() {
      if (durable) await mkdir(dirname(file), { recursive: true })
    },
    command: () => ({
      file: programs.temporal,
      cwd: dir,
      env: thrifty ? { ...env, ...thriftyEnv } : env,
      args: [
        ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(ports.temporal), '--namespace', serviceName],
        ...['--log-level', 'warn'],
        // As in temporal/server/dynamicconfig.yaml:
        ...dynamic({ 'matching.enableFairness': 'true', 'history.MaxBufferedQueryCount': '100' }),
        ...Object.entries(searchAttributeTypes).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]),
        ...dynamic(thrifty ? thriftySettings : {}),
        ...(durable ? lasting : ['--headless']),
      ],
    }),
    async isReady() {
      const connection = await Connection.connect({ address: `127.0.0.1:${ports.temporal}`, connectTimeout: '1s' })
      const look = () => connection.workflowService.describeNamespace({ namespace: serviceName })
      try {
        await connection.withDeadline(Date.now() + 2_000, look)
        return true
      } finally {
        await connection.close()
      }
    },
  }
}
