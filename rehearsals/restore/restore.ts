import { createTestClient, http } from 'viem'
import { foundry } from 'viem/chains'
import { queryOnce } from '../../dev/stack/components/postgres.js'
import type { Acknowledged } from '../../soak/load/acknowledge.js'
import { readLines } from '../../soak/load/jsonLines.js'
import type { Rehearsal } from '../Rehearsal.js'
import type { Rig } from '../rig/openRig.js'
import { archiveTimeoutSeconds, createArchive, type Archive } from './createArchive.js'

const why = ['--apply', '--operator', 'ops-1', '--reason', 'rehearsal']

/** Backup and restore of Postgres: to a moment before a mistake, and after the loss of the disk. */
export const restore: Rehearsal = {
  name: 'restore',
  title: 'Postgres: base backup under load, restored to the moment before a mistake, then after the loss of its disk',
  expected: { nonceGaps: 'the records of these nonces were lost with the database (docs/operations.md)' },
  async run(rig) {
    await rig.load.stop()
    const archive = await createArchive({
      dir: rig.run.dir,
      url: rig.stack.file.databaseUrl,
      postgres: rig.program('postgres'),
    })
    await rig.step('turn on archiving, with one restart of Postgres', archive.turnOn)
    rig.load.start()
    await rig.pause(5)
    const megabytes = await rig.step('base backup while users sign', archive.takeBase)
    rig.note(`base backup: ${megabytes} MB`)
    await rig.pause(10)
    await undoMistake(rig, archive)
    await survive(rig, archive)
  },
}

async function undoMistake(rig: Rig, archive: Archive): Promise<void> {
  const moment = await archive.now()
  await rig.step('users go on signing after that moment', () => rig.pause(15))
  await rig.load.stop()
  await ask(rig, 'TRUNCATE transactions, publications CASCADE')
  await archive.complete()
  await rig.step('a mistake empties two tables; API and workers are stopped', () => stopPrograms(rig))
  await rig.program('postgres').stop()
  await rig.step('restored to the moment before', () => archive.restore(moment))
  await recover(rig, moment)
}

async function survive(rig: Rig, archive: Archive): Promise<void> {
  await rig.step('a new person signs in and gets a wallet', rig.run.addUser)
  await rig.pause(5)
  await rig.step('the archive has everything so far', archive.complete)
  const since = await archive.now()
  await rig.pause(archiveTimeoutSeconds / 2)
  await rig.load.stop()
  await rig.program('postgres').stop('SIGKILL')
  await rig.step('Postgres is killed and its disk deleted; API and workers are stopped', () => stopPrograms(rig))
  await rig.step('restored from base backup and archive, to its end', () => archive.restore(null))
  await recover(rig, since)
}

/** Puts back from Temporal, IPFS and chain what the database lost, and starts the programs. */
async function recover(rig: Rig, since: Date): Promise<void> {
  rig.note(`${await countMissing(rig)} acknowledged signatures were not in the restored database`)
  // An hour passes on the chain: what was published is final.
  const chain = createTestClient({ mode: 'anvil', chain: foundry, transport: http(rig.stack.file.rpcUrl) })
  await chain.mine({ blocks: 80 })
  const { code, output } = await rig.step('npm run ops -- recover --apply', () =>
    rig.ops(['recover', '--since', since.toISOString(), ...why]),
  )
  rig.require(code === 0 || code === 1, `recover ended with ${code}: ${output}`)
  const missing = await countMissing(rig)
  rig.require(missing === 0, `${missing} acknowledged signatures are lost: ${output}`)
  await rig.step('workers, then APIs started', async () => {
    for (const name of [...rig.namesOf('worker'), ...rig.namesOf('api')]) await rig.program(name).start()
  })
  await rig.pause(2) // until the balancer has noticed
  rig.load.start()
  await rig.step('users go on signing', () => rig.pause(20))
}

async function stopPrograms(rig: Rig): Promise<void> {
  const names = [...rig.namesOf('api'), ...rig.namesOf('worker')]
  await Promise.all(names.map((name) => rig.program(name).stop()))
}

async function countMissing(rig: Rig): Promise<number> {
  const rows = await ask<{ slug: string }>(rig, 'SELECT slug FROM publications')
  const known = new Set(rows.map(({ slug }) => slug))
  const lost = readLines<Acknowledged>(rig.run.clientLog).filter(({ slug }) => !known.has(slug))
  return new Set(lost.map(({ slug }) => slug)).size
}

const ask = <T>({ stack }: Rig, sql: string) => queryOnce<T>(stack.file.databaseUrl, sql)
