import { spawn } from 'node:child_process'
import { createTestClient, http, publicActions } from 'viem'
import { foundry } from 'viem/chains'
import { foundryBinary } from '../../contracts/foundryBinary.js'
import { deployForTests, type TestChain } from '../../tests/harness/index.js'

/** A chain of one's own, with the contract: for tests that stop mining or take blocks back. */
export async function startAnvil() {
  const child = spawn(foundryBinary('anvil'), ['--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<number>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      const found = /Listening on 127\.0\.0\.1:(\d+)/.exec(text)
      if (found) resolve(Number(found[1]))
    })
    child.once('exit', () => reject(new Error(`anvil ended: ${text.slice(-500)}`)))
  })
  const rpcUrl = `http://127.0.0.1:${port}`
  const testChain: TestChain = await deployForTests(rpcUrl)
  const client = createTestClient({ mode: 'anvil', chain: foundry, transport: http(rpcUrl) }).extend(publicActions)
  return {
    ...{ rpcUrl, testChain, client },
    async close(): Promise<void> {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}
