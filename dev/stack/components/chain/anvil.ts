import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createPublicClient, http } from 'viem'
import { foundryBinary } from '../../../../contracts/foundryBinary.js'
import { exitStateFile, keepSnapshots, newestState } from './anvilSnapshots.js'
import type { Component } from '../Component.js'
import { localChainId } from '../names.js'
import type { ServerOptions } from '../ServerOptions.js'

/** A local Ethereum chain that mines each transaction at once. If it is not durable, it is in memory only. */
export function createAnvil({ dir, ports, durable, env }: ServerOptions): Component {
  const rpcUrl = `http://127.0.0.1:${ports.anvil}`
  const stateDir = join(dir, 'anvil')
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: 2_000, retryCount: 0 }) })
  let state: string | undefined
  let stopSnapshots: (() => void) | undefined
  return {
    name: 'anvil',
    async prepare() {
      stopSnapshots?.()
      if (!durable) return
      await mkdir(stateDir, { recursive: true })
      state = await newestState(stateDir)
    },
    command: () => ({
      file: foundryBinary('anvil'),
      cwd: dir,
      env,
      args: [
        ...['--host', '127.0.0.1', '--port', String(ports.anvil), '--chain-id', String(localChainId), '--quiet'],
        ...(durable ? ['--dump-state', exitStateFile(stateDir)] : []),
        ...(state ? ['--load-state', state] : []),
      ],
    }),
    isReady: async () => (await client.getChainId()) === localChainId,
    async afterStart() {
      if (durable) stopSnapshots = keepSnapshots(rpcUrl, stateDir)
    },
  }
}
