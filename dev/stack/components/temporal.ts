import { searchAttributeTypes } from '@perigee/core/workflow'
import { Connection } from '@temporalio/client'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Component } from './Component.js'

export interface TemporalOptions {
  program: string
  dir: string
  /** Absent: all in memory. */
  file?: string
  port: { port: number; variable: string }
  /** Absent: no web page. */
  uiPort?: { port: number; variable: string }
  /** The UI asks here for decoded payloads. */
  codecPort?: number
  namespace: string
  env: NodeJS.ProcessEnv
}

/** The Temporal CLI's dev server: a whole Temporal in one process, on loopback. */
export function createTemporal(options: TemporalOptions): Component {
  const { program, dir, file, port, uiPort, codecPort, namespace, env } = options
  return {
    name: 'temporal',
    ports: [port, ...(uiPort ? [uiPort] : [])],
    stopSignal: 'SIGINT',
    async prepare() {
      if (file) await mkdir(dirname(file), { recursive: true })
    },
    command: () => ({
      file: program,
      cwd: dir,
      env,
      args: [
        ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port.port), '--namespace', namespace],
        ...['--log-level', 'warn'],
        ...['--dynamic-config-value', 'matching.enableFairness=true'], // as in temporal/server/dynamicconfig.yaml
        ...(uiPort ? ['--ui-ip', '127.0.0.1', '--ui-port', String(uiPort.port)] : ['--headless']),
        ...(codecPort ? ['--ui-codec-endpoint', `http://localhost:${codecPort}`] : []),
        ...Object.entries(searchAttributeTypes).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]),
        // A file is as fast as memory with these two, and slower by a third without.
        ...(file ? ['--db-filename', file, '--sqlite-pragma', 'journal_mode=wal'] : []),
        ...(file ? ['--sqlite-pragma', 'synchronous=normal'] : []),
      ],
    }),
    isReady: () => serves(`127.0.0.1:${port.port}`, namespace),
  }
}

async function serves(address: string, namespace: string): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: '1s' })
  try {
    await connection.withDeadline(Date.now() + 2_000, () => connection.workflowService.describeNamespace({ namespace }))
    return true
  } finally {
    await connection.close()
  }
}
