import { answersEnclave } from '../../dev/stack/components/answers.js'
import { queryOnce } from '../../dev/stack/components/postgres.js'
import { createProgram } from '../../dev/stack/components/program.js'
import { createWorker } from '../../dev/stack/components/worker.js'
import { freePort } from '../../dev/stack/processes/freePort.js'
import { waitUntil } from '../../dev/stack/processes/waitUntil.js'
import type { Rehearsal } from '../Rehearsal.js'
import type { Rig } from '../rig/openRig.js'
import { announce, withNext, withoutFormer } from './announce.js'
import { buildsOf, deployment, makeCurrent, ramp } from './versions.js'

const former = '1.0.0'
const next = '1.1.0'
const watchSeconds = 10

/** A new release of enclave, workers and API beside the old one, back to the old one, and on again. */
export const upgrade: Rehearsal = {
  name: 'upgrade',
  title: 'A new release of enclave, workers and API under load with open workflows; rolled back, and rolled out again',
  place: {
    env: { WORKER_DEPLOYMENT_NAME: deployment, WORKER_BUILD_ID: former, PUBLISH_UNSENT_AFTER: '60' },
    prepare: ({ stack }) => makeCurrent(stack.file, former),
  },
  async run(rig) {
    const { file } = rig.stack
    await rig.pause(watchSeconds) // some publications are open now
    const replay = await rig.step('npm run ops -- replay, with the new build', () => rig.ops(['replay']))
    rig.require(replay.code === 0, `replay: ${replay.output}`)
    rig.note(`replay: ${replay.output.split('\n').at(-1)}`)
    await rig.step('list of builds with both enclaves announced and installed', () => announce(rig, withNext))
    const enclaveUrl = await rig.step('new enclave started beside the old one', () => startEnclave(rig))
    await rig.step('new workers started beside the old ones', () => startWorkers(rig, enclaveUrl))
    await rig.step('half of the new runs go to the new build', () => ramp(file, next, 50))
    await rig.pause(watchSeconds)
    await rig.step('the new build is current', () => makeCurrent(file, next))
    await rig.step('APIs restarted in turn', () => rig.roll('api'))
    await expectBuild(rig, next)

    await rig.step('roll back: the old build is current', () => makeCurrent(file, former))
    await rig.step('roll back: APIs restarted in turn', () => rig.roll('api'))
    await expectBuild(rig, former)

    await rig.step('the new build is current again', () => makeCurrent(file, next))
    await expectBuild(rig, next)
    await retire(rig)
    await expectBuild(rig, next)
  },
}

async function startEnclave({ stack }: Rig): Promise<string> {
  const port = await freePort()
  const env = { ...stack.env, ENCLAVE_PORT: String(port) }
  const entry = 'rehearsals/upgrade/nextEnclave.ts'
  await stack.add(createProgram({ name: 'next-enclave', entry, env, isReady: () => answersEnclave(env, port) }))
  return `https://127.0.0.1:${port}`
}

async function startWorkers({ stack }: Rig, enclaveUrl: string): Promise<void> {
  const env = { ...stack.env, WORKER_BUILD_ID: next, ENCLAVE_URL: enclaveUrl }
  for (const name of ['next-worker', 'next-worker-2']) await stack.add(createWorker(name, env, stack.file))
}

/** What was asked for from now on is signed by this build alone. */
async function expectBuild(rig: Rig, build: string): Promise<void> {
  await rig.pause(2) // what was on its way
  const since = new Date().toISOString()
  await rig.pause(watchSeconds)
  const builds = await buildsOf(rig.stack.file, `StartTime > '${since}'`)
  rig.require(Object.keys(builds).join() === build, `expected runs of ${build}, found ${JSON.stringify(builds)}`)
}

/** The old workers and the old enclave go, once nothing needs them. */
async function retire(rig: Rig): Promise<void> {
  const { file } = rig.stack
  const isDone = async () => !((await buildsOf(file, `ExecutionStatus='Running'`))[former] ?? 0)
  await rig.step('until no signing run is open on the old build', () =>
    waitUntil('the old runs', isDone, { timeoutMs: 120_000 }),
  )
  await rig.step('old workers stopped', async () => {
    for (const name of rig.namesOf('worker')) await rig.program(name).stop()
  })
  const arePublished = async () => (await countUnpublished(rig, stopped)) === 0
  const stopped = new Date()
  await rig.step('until every proof of the old enclave is complete', () =>
    waitUntil('the old proofs', arePublished, { timeoutMs: 300_000, everyMs: 1_000 }),
  )
  await rig.step('list of builds without the old enclave announced and installed', () => announce(rig, withoutFormer))
  await rig.step('old enclave stopped', () => rig.program('enclave').stop())
}

async function countUnpublished({ stack }: Rig, before: Date): Promise<number> {
  const sql = `SELECT count(*)::int FROM publications WHERE status <> 'complete' AND created_at < '${before.toISOString()}'`
  return (await queryOnce<{ count: number }>(stack.file.databaseUrl, sql))[0]?.count ?? 0
}
