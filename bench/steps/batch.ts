import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createSimulatedWorld } from '../../core/receipt/testing/simulatedWorld.js'
import { createSampleWallet } from '../../core/receipt/gather/testing/sampleWallet.js'
import { serveBlocks, serveChain } from '../../verifier/testing/servers.js'
import { counted } from '../measure/counted.js'
import { figure, median, type Figure } from '../measure/Figure.js'
import { inRounds, timed } from '../measure/timing.js'

const run = promisify(execFile)

/**
 * The packed verifier on receipts of one wallet, from a gateway and a node in this process. In a batch: one run of
 * `wallet`. One by one: a run for each of ten receipts, which stand for all.
 */
export async function batch(): Promise<Figure[]> {
  const count = counted(1000)
  const dir = await mkdtemp(join(tmpdir(), 'perigee-bench-'))
  const world = await createSimulatedWorld(Math.floor(Date.now() / 1000) - 100)
  const nonces = Array.from({ length: count }, (_, nonce) => nonce)
  const sample = createSampleWallet(world, nonces)
  const gateway = await serveBlocks(sample.blocks)
  const node = await serveChain(sample.events, { releases: sample.releases, sent: sample.txHashes })
  try {
    await run(process.execPath, [fileURLToPath(new URL('../../verifier/build.mjs', import.meta.url)), dir])
    await writeFile(join(dir, 'trust.json'), JSON.stringify(sample.receipts[0]!.anchors))
    const places = ['--gateway', gateway.url, '--rpc', node.url, '--trust', 'trust.json']
    // It fails, and so does the benchmark, unless everything verifies.
    const verify = (...args: string[]) =>
      run(process.execPath, ['verifier.mjs', ...args, ...places], { cwd: dir, maxBuffer: 2 ** 24 })
    const some = sample.receipts.slice(0, 10)
    const alone = await inRounds(some.length, (index) => timed(() => verify(some[index]!.evidence.cid)))
    const together = await timed(() => verify('wallet', sample.wallet))
    const oneByOne = { name: 'verify <CID>, one by one', rounds: [median(alone)] }
    return [
      figure(oneByOne.name, 'ms a receipt', alone, { note: `${alone.length} of ${count}, which stand for all` }),
      figure(`verify wallet, ${count} receipts`, 'ms a receipt', [together / count], {
        against: oneByOne,
        atMost: 0.2,
      }),
    ]
  } finally {
    await Promise.all([gateway.close(), node.close()])
    await rm(dir, { recursive: true, force: true })
  }
}
