import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toHex } from '@perigee/core'
import { hexOfText } from '../core/message/testing/samples.js'
import { buildProgram } from '../dev/stack/buildProgram.js'
import { keepHistory } from '../temporal/testing/keepHistory.js'
import { requestHashOf } from '../tests/rigs/createSigningCalls.js'
import { failpointBundle } from '../tests/rigs/failpointBundle.js'
import { failpointsOf } from '../tests/rigs/failpoints.js'
import { startService, type TestService } from '../tests/rigs/startService.js'

const dir = mkdtempSync(join(tmpdir(), 'perigee-messages-'))
const failpoint = join(dir, 'failpoint')
const isRecording = process.env.RECORD_HISTORIES === 'true'

let service: TestService
let program: string
let walletId: string
const slugs: string[] = []
const workers = new Set<ChildProcess>()
let deaths = 0
let stopping = false

/** A worker process that is started again whenever it dies. */
function keepRunning(): void {
  const worker = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, ...service.env, FAILPOINT_FILE: failpoint },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  workers.add(worker)
  worker.once('exit', () => {
    workers.delete(worker)
    if (stopping) return
    deaths++
    keepRunning()
  })
}

beforeAll(async () => {
  service = await startService()
  await failpointBundle()
  program = await buildProgram(new URL('../tests/rigs/failpointWorker.ts', import.meta.url))
  keepRunning()
  keepRunning()
  const userId = await service.newUser()
  const provision = () => service.provision(userId)
  ;({ walletId } = await provision().catch(provision)) // workers take seconds to start
})
afterAll(async () => {
  stopping = true
  for (const worker of workers) worker.kill('SIGKILL')
  await service.close()
  rmSync(dir, { recursive: true })
  rmSync(program, { force: true })
})

/** Signed and not recorded, recorded and not answered: the rest is as in crashes.system.test.ts. `npm run histories` goes through all. */
const everyTime = ['signInEnclave:after', 'recordSignature:after']
const points = failpointsOf('sign').filter((point) => isRecording || everyTime.includes(point))

test.each(points)('a worker killed at %s while it signs a message costs nothing but time', async (point) => {
  const before = deaths
  const call = {
    walletId,
    message: { scheme: 'eip191', message: hexOfText(`killed at ${point}`) } as const,
    salt: toHex(randomBytes(32)),
    expiresAtMs: Date.now() + 60_000,
  }
  writeFileSync(failpoint, point)
  const answer = await service.signMessage(call)
  const workflowId = `message/${walletId}/${requestHashOf(call)}`
  await service.client.workflow.getHandle(workflowId).result() // its publication has started
  expect(existsSync(failpoint)).toBe(false)
  expect(deaths).toBe(before + 1)
  await keepHistory(service.client, workflowId, `killed-message-${point.replaceAll(/[.:]/g, '-')}`)
  expect(await service.signMessage(call)).toEqual(answer)
  const rows = await service.database.query<{ slug: string }[]>(
    'SELECT slug FROM messages WHERE wallet_id = $1 AND request_hash = $2',
    [walletId, requestHashOf(call)],
  )
  expect(rows).toEqual([{ slug: answer.slug }])
  slugs.push(answer.slug)
})

test('all of them are published', async () => {
  expect(slugs).toHaveLength(points.length)
  for (const slug of slugs) expect(await service.publicationOf(slug)).toBe('complete')
})
