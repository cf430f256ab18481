import { spawn } from 'node:child_process'
import { createTestClient, http, publicActions, type Hex, type HttpTransport } from 'viem'
import { foundry } from 'viem/chains'
import { foundryBinary } from '../../../contracts/foundryBinary.js'
import { deployForTests, type TestChain } from '../../harness/chain.js'

/** A chain of one's own, with the contract: for tests that stop mining or take blocks back. */
export async function startAnvil() {
  const child = spawn(foundryBinary('anvil'), ['--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const end = () => child.kill('SIGKILL')
  const ended = new Promise((resolve) => child.once('exit', resolve)) // perhaps long before `close`: Ctrl-C ends us both
  process.once('exit', end) // who stops early, on a signal, closes nothing
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
  const client = createTestClient({ mode: 'anvil', chain: foundry, transport: blockByBlock(http(rpcUrl)) }).extend(
    publicActions,
  )
  return {
    rpcUrl,
    testChain,
    client,
    /**
     * Mines again and again, each time when the last is done. The function that it gives ends that, and resolves when
     * nothing is being mined any more, so that no block comes into what a test does next.
     */
    keepMining(everyMs: number, blocks = 1): () => Promise<void> {
      let isOn = true
      const miner = (async () => {
        while (isOn) {
          await new Promise((resolve) => setTimeout(resolve, everyMs))
          if (isOn) await client.mine({ blocks })
        }
      })()
      miner.catch(() => undefined) // heard by who ends it
      return () => {
        isOn = false
        return miner
      }
    },
    /** A node answers before it mines. */
    async mined(sent: Promise<Hex>): Promise<Hex> {
      const hash = await sent
      await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
      return hash
    },
    /** The last blocks are replaced by as many empty ones. */
    reorg: (depth: number): Promise<unknown> => client.request({ method: 'anvil_reorg', params: [depth, []] } as never),
    async close(): Promise<void> {
      end()
      process.off('exit', end)
      await ended
    },
  }
}

/**
 * One change of the chain at a time. Anvil that mines and reorganises at once leaves heights without a block, or one
 * transaction in two blocks of its chain, with its event twice: a nonce used twice, which no chain allows.
 */
function blockByBlock(transport: HttpTransport): HttpTransport {
  let last: Promise<unknown> = Promise.resolve()
  return (options) => {
    const made = transport(options)
    const request: typeof made.request = (asked, ...rest) => {
      const { method } = asked as { method: string }
      if (!['evm_mine', 'anvil_mine', 'anvil_reorg'].includes(method)) return made.request(asked, ...rest)
      const done = last.then(() => made.request(asked, ...rest))
      last = done.catch(() => undefined)
      return done as never
    }
    return { ...made, request }
  }
}
