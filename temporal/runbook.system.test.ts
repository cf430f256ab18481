import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKuboNode } from '../clients/ipfs/createKuboNode.js'
import { components } from '../tests/harness/index.js'
import { createFaultyProxy, type FaultyProxy } from '../tests/rigs/servers/createFaultyProxy.js'
import { startPublishingRig, type PublishingRig } from '../tests/rigs/publishing/startPublishing.js'
import { EncryptionCodec } from './codec/EncryptionCodec.js'
import { createCodecApp } from './codecServer/createCodecApp.js'
import { ensureSchedules } from './ensureSchedules.js'

const runbook = readFileSync(fileURLToPath(new URL('./RUNBOOK.md', import.meta.url)), 'utf8')
/** Every line of the runbook's `sh` blocks; `sh deployment` blocks are for versioning.system.test.ts. */
const commands = [...runbook.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block]) => (block ?? '').trim().split('\n'))
const bin = mkdtempSync(join(tmpdir(), 'perigee-runbook-'))

let rig: PublishingRig
let ipfs: FaultyProxy
let server: Server

beforeAll(async () => {
  symlinkSync(components().programs.temporal, join(bin, 'temporal'))
  ipfs = await createFaultyProxy(components().ipfsApiUrl)
  rig = await startPublishingRig({ nodes: [createKuboNode(ipfs.url)] })
  await rig.startWorkers()
  await ensureSchedules(rig.client)
  await ensureSchedules(rig.client) // every worker does it at its start
  server = createServer(
    createCodecApp({ codec: new EncryptionCodec(rig.codecKeys, 'show'), uiOrigins: [], signIn: null }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.close()
  await rig.close()
  await ipfs.close()
  rmSync(bin, { recursive: true })
})

test('the runbook’s commands, one after another, find and repair proofs that are really stuck', async () => {
  ipfs.set('garble', (request) => request.includes('/block/get'))
  const [stuck, abandoned] = [await rig.seed(), await rig.seed()]
  for (const input of [stuck, abandoned]) {
    await rig.publish(input)
    await rig.reaches(input.slug, 'pin_failed')
  }
  ipfs.set('none')
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: bin,
    SLUG: stuck.slug,
    ABANDON_SLUG: abandoned.slug,
    TEMPORAL_ADDRESS: components().temporalAddress,
    ...components().temporalAccess,
    TEMPORAL_NAMESPACE: rig.namespace,
    TEMPORAL_CODEC_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  }
  const run = async (command: string): Promise<string> => {
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { env })
    return stdout
  }
  const outputs: Record<string, string> = {}
  expect(commands.length).toBeGreaterThan(10)
  // Lists are eventually consistent: wait until both stuck proofs are in.
  const count = commands.find((command) => command.startsWith('temporal workflow count')) ?? ''
  for (let i = 0; i < 100 && !(await run(count)).includes('2'); i++) await new Promise((r) => setTimeout(r, 100))
  for (const command of commands) {
    const [, , verb = '', , ...rest] = command.split(' ')
    outputs[`${verb} ${rest.join(' ')}`] = await run(command)
  }
  const all = Object.values(outputs).join('\n')
  for (const word of ['FailureType', `receipt/${stuck.slug}`, 'cid_mismatch', 'What to do', 'repair-proofs']) {
    expect(all).toContain(word)
  }
  expect(await rig.client.workflow.getHandle(`receipt/${stuck.slug}`).result()).toBe('complete')
  await expect(rig.client.workflow.getHandle(`receipt/${abandoned.slug}`).result()).rejects.toThrow()
})
