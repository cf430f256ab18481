import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { queryOnce } from '../../dev/stack/components/postgres.js'
import { waitUntil } from '../../dev/stack/processes/waitUntil.js'
import type { Progress } from '../../dev/stack/progress.js'
import type { StackFile } from '../../dev/stack/stackFile.js'
import { openTimeline, type Timeline } from '../chaos/timeline.js'
import type { SoakOptions } from '../parseArguments.js'
import { waitForQuiet } from '../phases/waitForQuiet.js'
import { attackCounts, type AttackCount, type AttackEvidence } from './verdict/attackCounts.js'
import { compareOthers, type Round } from './verdict/compareOthers.js'
import { findProblems } from './verdict/findProblems.js'
import type { HostileReport } from './hostile/Plan.js'
import { createOthers } from './measureOthers.js'
import { openAttack, unsentSeconds, type Attacked } from './openAttack.js'
import { planHostile } from './planHostile.js'
import { readStolen } from './readStolen.js'
import { readGiven, readSigned, watchPlaces } from './readSigned.js'
import { sizedShares } from './sizedShares.js'
import { startHostile } from './startHostile.js'

/** Long enough to measure the other users' p95, and for the attackers to use up their bursts and live on what refills. */
const phaseMs = 60_000
const warmUpMs = 25_000
const publishedWithinMs = 120_000
const quietWithinMs = (unsentSeconds + 300) * 1000

/** The attack: calm and attack in turn, then the checker and the counts of this run. `problems` is empty when every promise was kept. */
export async function runAttack(options: SoakOptions, folder: string, progress: Progress) {
  const takenAt = new Date().toISOString()
  const attacked = await openAttack(options, folder, progress)
  try {
    const { file, record } = attacked
    const timeline = openTimeline(join(folder, 'timeline.jsonl'), progress.say)
    const { rounds, stolen, report, places } = await attackInTurn(options, attacked, progress, timeline)
    for (const line of report.acknowledged) record(line)
    const quietSeconds = await progress.step('quiet', () => waitForQuiet(file, quietWithinMs))
    const check = await attacked.check()
    const evidence = await gather(attacked, rounds, { ...report, streams: [...report.streams, ...places] })
    const violations = Object.fromEntries(
      Object.entries(attackCounts).map(([name, count]) => [name, count(evidence)]),
    ) as Record<AttackCount, string[]>
    const others = compareOthers(rounds)
    const { samples } = evidence
    const { tallies, replays } = report
    const result = { options, takenAt, timeline: timeline.file, others, stolen, tallies, replays, violations, samples }
    const problems = findProblems({ ...result, check, refusals: report.refusals })
    return { ...result, requests: evidence.honest.length, quietSeconds, check, problems }
  } finally {
    await attacked.stop()
  }
}

export type AttackResult = Awaited<ReturnType<typeof runAttack>>

async function attackInTurn(
  { rounds: count, seed }: SoakOptions,
  attacked: Attacked,
  progress: Progress,
  timeline: Timeline,
) {
  const { apiUrls, file, honest: users, record } = attacked
  const plan = await progress.step('hostile users get ready', () => planHostile(attacked))
  const hostile = await startHostile(plan, seed)
  const others = createOthers({ apiUrls, rpcUrl: file.rpcUrl, users, record })
  const watch = watchPlaces(file)
  const rounds: Round[] = []
  const stolen: Record<keyof Round, number>[] = []
  let report: HostileReport | undefined
  let places: HostileReport['streams'] = []
  try {
    await others.during(warmUpMs) // so that no round pays for compiling
    for (let round = 1; round <= count; round++) {
      await waitUntilPublished(file)
      timeline.add({ kind: 'calm', detail: `round ${round}` })
      const before = readStolen()
      const calm = await others.during(phaseMs)
      const between = readStolen()
      timeline.add({ kind: 'attack', detail: `round ${round}` })
      hostile.start()
      const attack = await others.during(phaseMs)
      report = await hostile.stop()
      rounds.push({ calm, attack })
      stolen.push({ calm: between - before, attack: readStolen() - between })
    }
  } finally {
    hostile.close()
    places = await watch.stop()
  }
  return { rounds, stolen, report: report as HostileReport, places }
}

/** Waits until the attack's receipts are published. Otherwise the calm phase would be measured with the attack's work still going on. */
async function waitUntilPublished({ databaseUrl }: StackFile): Promise<void> {
  const open = `SELECT 1 FROM publications WHERE status <> 'complete' AND kind <> 'transaction' LIMIT 1`
  const isDone = async () => (await queryOnce(databaseUrl, open)).length === 0
  await waitUntil('published receipts', isDone, { timeoutMs: publishedWithinMs, everyMs: 500 })
  await sleep(1_000)
}

async function gather(attacked: Attacked, rounds: readonly Round[], report: HostileReport): Promise<AttackEvidence> {
  const { file, honest, hostile, usedBefore, samplesPerDay } = attacked
  const named = [
    ...honest.map(({ wallet, index }) => [wallet, `user ${index}`] as const),
    ...Object.entries(hostile).flatMap(([name, users]) =>
      users.map(({ wallet }, index) => [wallet, `${name} ${index + 1}`] as const),
    ),
  ]
  const answered: Record<string, number> = {}
  for (const { operations } of report.tallies) {
    for (const [id, count] of Object.entries(operations)) answered[id] = (answered[id] ?? 0) + count
  }
  const { refusals, replays, operations, streams } = report
  return {
    refusals,
    replays,
    operations,
    streams,
    shares: sizedShares,
    unsentSeconds,
    signed: await readSigned(file, new Map(named)),
    answered,
    honest: rounds.flatMap(({ calm, attack }) => [...calm, ...attack]),
    samples: { given: (await readGiven(file)) - usedBefore, left: samplesPerDay - usedBefore },
  }
}
