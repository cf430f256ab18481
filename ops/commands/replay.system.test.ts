import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createKuboNode } from '../../clients/ipfs/createKuboNode.js'
import { cachedBundle } from '../../temporal/bundle/cachedBundle.js'
import { testCodecKey } from '../../temporal/testing/keepHistory.js'
import { components } from '../../tests/harness/index.js'
import { startPublishingRig, type PublishingRig } from '../../tests/rigs/publishing/startPublishing.js'
import { run } from '../run.js'

const folder = mkdtempSync(join(tmpdir(), 'perigee-replay-'))
let rig: PublishingRig
let open: string[]

beforeAll(async () => {
  // No node answers, so both proofs fail and stay open for an operator.
  rig = await startPublishingRig({ nodes: [createKuboNode('http://127.0.0.1:9')] })
  await rig.startWorkers()
  open = []
  for (let i = 0; i < 2; i++) {
    const input = await rig.seed()
    await rig.publish(input)
    open.push(`receipt/${input.slug}`)
  }
  const listed = async () => {
    const found: string[] = []
    for await (const { workflowId } of rig.client.workflow.list({ query: `ExecutionStatus='Running'` })) {
      found.push(workflowId)
    }
    return found.sort()
  }
  // Lists are eventually consistent.
  await vi.waitFor(async () => expect(await listed()).toEqual([...open].sort()), { timeout: 180_000, interval: 200 })
  const scheduled = async (id: string) =>
    JSON.stringify((await rig.client.workflow.getHandle(id).fetchHistory()).events)
  for (const id of open) {
    await vi.waitFor(async () => expect(await scheduled(id)).toContain('pinReceipt'), {
      timeout: 180_000,
      interval: 200,
    })
  }
})
afterAll(async () => {
  await rig.close()
  rmSync(folder, { recursive: true })
})

async function replay(...args: string[]): Promise<{ code: number; text: string }> {
  const env = {
    TEMPORAL_ADDRESS: components().temporalAddress,
    ...components().temporalAccess,
    TEMPORAL_NAMESPACE: rig.namespace,
    TEMPORAL_CODEC_KEYS: testCodecKey,
  }
  const lines: string[] = []
  const console = { print: (line: string) => lines.push(line), complain: (line: string) => lines.push(line) }
  return { code: await run(['replay', ...args], env, console, folder), text: lines.join('\n') }
}

test('the open runs of a namespace replay against this build', async () => {
  const { code, text } = await replay()
  expect(text).toContain('2 open runs replayed, 0 failed')
  for (const id of open) expect(text).toContain(`OK    ${id}`)
  expect(code).toBe(0)
})

test('a build that would break open runs is refused, with the first difference', async () => {
  const { codePath } = await cachedBundle()
  const broken = readFileSync(codePath, 'utf8').replaceAll('pinReceipt', 'pinSomethingElse')
  writeFileSync(join(folder, 'broken.cjs'), broken)
  const { code, text } = await replay('--bundle', join(folder, 'broken.cjs'))
  expect(code).toBe(1)
  expect(text).toContain('2 open runs replayed, 2 failed')
  expect(text).toMatch(/FAIL .*pinReceipt.*pinSomethingElse/)
  const asJson = JSON.parse((await replay('--json', '--bundle', join(folder, 'broken.cjs'))).text) as unknown
  expect(asJson).toMatchObject({ replayed: 2, failed: [{ message: expect.any(String) as string }, {}] })
})
