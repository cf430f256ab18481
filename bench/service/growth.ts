import { figure, type Figure } from '../Figure.js'
import type { BenchStack } from '../stack/openStack.js'
import { atShare, inRounds, timed, type Times } from '../timing.js'
import { openGrown, type Grown } from './openGrown.js'
import { counted, isQuick } from '../counted.js'

const sizes = [1_000, 10_000, isQuick ? 20_000 : 100_000]
const turns = 16
const warmUp = 6
const readsEach = 4
/** "Must not change sign or proof latency by more than 10 %." */
const atMost = 1.1

const kinds = { sign: 'POST /sign/digest', proof: 'GET /proof/:slug', complete: 'signature to complete' } as const
type Kind = keyof typeof kinds

/**
 * Three services side by side that differ only in how many proofs they already hold, asked in turn, call by call, so
 * that whatever else the machine does falls on all of them alike. The proofs are read by names from all over the table.
 * Temporal holds no more workflows than before: it forgets the ended ones by itself.
 */
export async function growth(stack: BenchStack): Promise<Figure[]> {
  const grown: { size: number; service: Grown }[] = []
  try {
    const slugs = readsEach * (3 * counted(turns) + counted(warmUp))
    const opening = sizes.map(async (size) => grown.push({ size, service: await openGrown(stack, size, slugs) }))
    const seconds = await timed(() => Promise.allSettled(opening))
    await Promise.all(opening) // or one has failed, and the others are there to be closed
    grown.sort((a, b) => a.size - b.size)
    console.log(`  the services and their proofs are there after ${Math.round(seconds / 1000)} s`)
    await round(grown, counted(warmUp))
    const rounds = await inRounds(3, () => round(grown, counted(turns)))
    return (Object.keys(kinds) as Kind[]).flatMap((kind) =>
      sizes.map((size, index) => {
        const of = (count = 0) => atShare(rounds, `${kind} ${count}`, 0.5)
        const held = { against: { name: `with ${sizes[0]}`, rounds: of(sizes[0]) }, atMost }
        return figure(`${kinds[kind]} with ${size} proofs, p50`, 'ms', of(size), index > 0 ? held : {})
      }),
    )
  } finally {
    for (const { service } of grown) await service.close()
  }
}

async function round(grown: { size: number; service: Grown }[], count: number): Promise<Times> {
  const times: Times = {}
  const keep = async (name: string, work: () => unknown) => void (times[name] ??= []).push(await timed(work))
  for (let turn = 0; turn < count; turn++) {
    // Another one begins each time, so that none always follows the same.
    const order = grown.map((_, index) => grown[(index + turn) % grown.length]).filter((one) => one !== undefined)
    for (const { size, service } of order) {
      const { person } = service
      let slug = ''
      await keep(`sign ${size}`, async () => (slug = await person.sign()))
      await keep(`complete ${size}`, () => person.whenComplete(slug, 5))
    }
    for (let read = 0; read < readsEach; read++) {
      for (const { size, service } of order) {
        const name = service.copies.shift() ?? ''
        await keep(`proof ${size}`, () => service.person.api.getProof(name))
      }
    }
  }
  return times
}
