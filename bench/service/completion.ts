import { setTimeout as sleep } from 'node:timers/promises'
import { counted } from '../measure/counted.js'
import { figure, median, type Figure } from '../measure/Figure.js'
import { inRounds, timed } from '../measure/timing.js'
import type { Person } from '../stack/openPerson.js'
import type { BenchStack } from '../stack/openStack.js'
import { openServices } from './openServices.js'

const proofs = 8

/** From the signature to `complete` on both chains. On the slow one signatures start at times spread over one block. */
export async function completion(stack: BenchStack): Promise<Figure[]> {
  const { services } = await openServices(stack)
  const figures: Figure[] = []
  for (const { chain, blockSeconds, newPeople, whenQuiet } of services) {
    const [person] = (await newPeople(1)) as [Person]
    const rounds = await inRounds(3, async () => {
      const count = counted(proofs)
      const taken: Promise<number>[] = []
      for (let proof = 0; proof < count; proof++) {
        const slug = await person.sign()
        const one = timed(() => person.whenComplete(slug, 10))
        taken.push(one)
        await (blockSeconds === null ? one : sleep((blockSeconds * 1000) / count))
      }
      await whenQuiet()
      return (await Promise.all(taken)).map((ms) => ms / 1000)
    })
    const block =
      blockSeconds === null ? {} : { against: { name: 'block time', rounds: rounds.map(() => blockSeconds) } }
    const longest = rounds.map((taken) => Math.max(...taken))
    figures.push(
      figure(`signature to complete, p50 (${chain})`, 's', rounds.map(median), block),
      figure(`signature to complete, longest (${chain})`, 's', longest, block),
    )
  }
  return figures
}
