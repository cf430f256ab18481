import { figure, type Figure } from '../measure/Figure.js'
import type { BenchStack } from '../stack/openStack.js'
import { atShare, inRounds, timed, type Times } from '../measure/timing.js'
import { openGrown, type Grown } from './openGrown.js'
import { counted, isQuick } from '../measure/counted.js'

const sizes = [1_000, 10_000, isQuick ? 20_000 : 100_000]
const turns = 16
const warmUp = 6
const readsEach = 4
/** Signing and reading a proof may become at most 10 % slower. */
const atMost = 1.1

const kinds = { sign: 'POST /sign/digest', proof: 'GET /proof/:slug', complete: 'signature to complete' } as const
type Kind = keyof typeof kinds

/**
 * Three services side by side that differ only in how many proofs they hold, called in turn, so that a busy machine is
 * equally busy for all. Proofs are read from all over the table. Temporal holds no more workflows than before: it removes
 * those that ended by itself.
 */
export async function growth(stack: BenchStack): Promise<Figure[]> {
  const grown: { size: number; service: Grown }[] = []
  try {
    const slugs = readsEach * (3 * counted(turns) + counted(warmUp))
    const opening = sizes.map(async (size) => grown.push({ size, service: await openGrown(stack, size, slugs) }))
    const seconds = await timed(() => Promise.allSettled(opening))
    await Promise.all(opening) // throws if one failed, now that the others can be closed
    grown.sort((a, b) => a.size - b.size)
    console.log(`  the services and their proofs are ready after ${Math.round(seconds / 1000)} s`)
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
    // Another one starts each time, so that none always follows the same.
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
