import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vendorAnchors } from '@perigee/core/receipt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf, mintReceipt } from '../../core/receipt/testing/mintReceipt.js'
import { proofOf } from '../../core/receipt/testing/proofOf.js'
import { createSimulatedWorld, signedAt } from '../../core/receipt/testing/simulatedWorld.js'
import { jsonOf, runInProcess } from '../testing/runInProcess.js'
import { serve, serveBlocks, serveChain, type TestServer } from '../testing/servers.js'

const minted = mintReceipt(await createSimulatedWorld())
const { evidence, anchors, receipt } = minted
const slug = 'c2x1Z3NsdWdzbHVnc2x1Zw'
let home: string
let api: TestServer
let gateway: TestServer
let node: TestServer
const run = (...args: string[]) => runInProcess(args, home, signedAt + 1000)
const writeStack = (value: object, contractAddress: string = anchors.contracts[0]!.address) =>
  Promise.all([
    writeFile(join(home, '.perigee/trust-anchors.json'), JSON.stringify(value)),
    writeFile(
      join(home, '.perigee/stack.json'),
      JSON.stringify({
        apiUrl: `${api.url}/`,
        rpcUrl: node.url,
        chainId: 31337,
        contractAddress,
        ipfsGatewayUrl: gateway.url,
      }),
    ),
  ])

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'perigee-stack-'))
  await mkdir(join(home, '.perigee'))
  const proof = proofOf(minted, slug)
  api = await serve((path) => (path === `/proof/${slug}` ? { body: JSON.stringify(proof) } : null))
  gateway = await serveBlocks(blocksOf(minted))
  node = await serveChain([...evidence.events, ...evidence.birth.events], { releases: evidence.releases.announcements })
  await writeFile(join(home, 'mine.json'), JSON.stringify(anchors))
  await writeFile(join(home, 'real.json'), JSON.stringify({ ...vendorAnchors(), contracts: anchors.contracts }))
})
afterAll(async () => {
  await Promise.all([api.close(), gateway.close(), node.close()])
  await rm(home, { recursive: true })
})

describe('a local stack', () => {
  test('gives the defaults, unless told not to', async () => {
    await writeStack(anchors)
    const { txHash } = receipt.transaction
    expect(await run(txHash)).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/SIMULATED \(\.perigee\/trust-anchors/),
    })
    expect((await run(slug)).exit).toBe(0)
    expect((await run('wallet', receipt.transaction.from)).stdout).toMatch(/^trust .* SIMULATED/m)
    expect((await run(txHash, '--no-stack')).exit).toBe(1)
  })

  test('does not choose anchors of real hardware for the reader', async () => {
    await writeStack({ ...vendorAnchors(), releases: { publicKey: `0x${'ab'.repeat(32)}`, contracts: [] } })
    for (const target of [[evidence.cid], ['wallet', receipt.transaction.from]]) {
      const { exit, stderr } = await run(...target)
      expect([exit, stderr]).toEqual([2, expect.stringMatching(/--trust/)])
    }
    expect((await run(evidence.cid, '--trust', 'mine.json')).exit).toBe(0)
  })

  test('does not name the contract or the node for anchors that the reader chose', async () => {
    await writeStack(anchors, `0x${'01'.repeat(20)}`)
    expect((await run(evidence.cid, '--trust', 'mine.json')).exit).toBe(0)
    const asked = node.asked.length
    const real = jsonOf(await run(evidence.cid, '--trust', 'real.json', '--json'))
    expect(JSON.stringify(real.notes)).toMatch(/give a node of the event’s chain with --rpc/)
    expect(node.asked.length).toBe(asked)
  })
})
