import { searchAttributeTypes } from '@perigee/core/workflow'
import { Connection } from '@temporalio/client'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Component } from './Component.js'
import { serviceName } from './names.js'
import type { ServerOptions } from './ServerOptions.js'

/** The Temporal CLI's dev server: a whole Temporal in one process, on loopback. If it is not durable: in memory, no UI. */
export function createTemporal({ dir, ports, programs, durable, env }: ServerOptions): Component {
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
      env,
      args: [
        ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(ports.temporal), '--namespace', serviceName],
        ...['--log-level', 'warn'],
        // As in temporal/server/dynamicconfig.yaml:
        ...['--dynamic-config-value', 'matching.enableFairness=true'],
        ...['--dynamic-config-value', 'history.MaxBufferedQueryCount=100'],
        ...Object.entries(searchAttributeTypes).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]),
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
