import { mkdir } from 'node:fs/promises'
import { createPublicClient, http } from 'viem'
import { foundryBinary } from '../../../contracts/foundryBinary.js'
import { exitStateFile, keepSnapshots, newestState } from './anvilSnapshots.js'
import type { Component } from './Component.js'

export interface AnvilOptions {
  dir: string
  /** Where the chain is kept. Absent: in memory only. */
  stateDir?: string
  port: { port: number; variable: string }
  chainId: number
  env: NodeJS.ProcessEnv
}

/** A local Ethereum chain that mines each transaction at once. */
export function createAnvil({ dir, stateDir, port, chainId, env }: AnvilOptions): Component {
  const rpcUrl = `http://127.0.0.1:${port.port}`
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: 2_000, retryCount: 0 }) })
  let state: string | undefined
  let stopSnapshots: (() => void) | undefined
  return {
    name: 'anvil',
    ports: [port],
    stopSignal: 'SIGTERM',
    async prepare() {
      stopSnapshots?.()
      if (!stateDir) return
      await mkdir(stateDir, { recursive: true })
      state = await newestState(stateDir)
    },
    command: () => ({
      file: foundryBinary('anvil'),
      cwd: dir,
      env,
      args: [
        ...['--host', '127.0.0.1', '--port', String(port.port), '--chain-id', String(chainId), '--quiet'],
        ...(stateDir ? ['--dump-state', exitStateFile(stateDir)] : []),
        ...(state ? ['--load-state', state] : []),
      ],
    }),
    isReady: async () => (await client.getChainId()) === chainId,
    async settle() {
      if (stateDir) stopSnapshots = keepSnapshots(rpcUrl, stateDir)
    },
  }
}
