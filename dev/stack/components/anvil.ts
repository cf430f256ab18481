import { copyFile, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createPublicClient, http } from 'viem'
import { foundryBinary } from '../../../contracts/foundryBinary.js'
import type { Component } from './Component.js'

export interface AnvilOptions {
  dir: string
  /** Where the chain is kept. Absent: in memory only. */
  stateFile?: string
  port: { port: number; variable: string }
  chainId: number
  env: NodeJS.ProcessEnv
}

/** A local Ethereum chain that mines each transaction at once. */
export function createAnvil({ dir, stateFile, port, chainId, env }: AnvilOptions): Component {
  const client = createPublicClient({
    transport: http(`http://127.0.0.1:${port.port}`, { timeout: 2_000, retryCount: 0 }),
  })
  return {
    name: 'anvil',
    ports: [port],
    stopSignal: 'SIGTERM',
    async prepare() {
      if (!stateFile) return
      await mkdir(dirname(stateFile), { recursive: true })
      await keepGoodState(stateFile)
    },
    command: () => ({
      file: foundryBinary('anvil'),
      cwd: dir,
      env,
      args: [
        ...['--host', '127.0.0.1', '--port', String(port.port), '--chain-id', String(chainId), '--quiet'],
        // Written every second, so that even kill -9 loses at most the last one.
        ...(stateFile ? ['--state', stateFile, '--state-interval', '1', '--preserve-historical-states'] : []),
      ],
    }),
    isReady: async () => (await client.getChainId()) === chainId,
  }
}

/** anvil overwrites its file in place; a kill in the middle leaves half of one. Then the last whole file is taken. */
async function keepGoodState(stateFile: string): Promise<void> {
  const backup = `${stateFile}.good`
  const text = await readFile(stateFile, 'utf8').catch(() => undefined)
  if (text === undefined) return
  try {
    JSON.parse(text)
    await copyFile(stateFile, backup)
  } catch {
    await rm(stateFile)
    await copyFile(backup, stateFile).catch(() => undefined)
  }
}
