import { figure, median, type Figure } from '../Figure.js'
import type { BenchStack } from '../stack/openStack.js'
import { inRounds, timed } from '../timing.js'
import { withService } from './openService.js'
import { counted } from '../counted.js'

const blockSeconds = 2
const proofs = 5

/**
 * From the answer with the signature to `complete`, on a chain that makes a block every two seconds. People do not wait
 * for a new block before they sign: the signatures of a round begin at moments spread evenly over the time of one.
 */
export function completion(stack: BenchStack): Promise<Figure[]> {
  return withService(stack, async (service) => {
    const person = await service.newPerson()
    await person.whenComplete(await person.sign())
    await service.chain.setAutomine(false)
    await service.chain.setIntervalMining({ interval: blockSeconds })
    try {
      const rounds = await inRounds(3, async () => {
        const taken: number[] = []
        const count = counted(proofs)
        for (let proof = 0; proof < count; proof++) {
          // The proof before this one has just completed with a block, so this is how old the block is.
          await new Promise((resolve) => setTimeout(resolve, (blockSeconds * 1000 * (proof + 0.5)) / count))
          const slug = await person.sign()
          taken.push((await timed(() => person.whenComplete(slug, 10))) / 1000)
        }
        return taken
      })
      const block = { name: 'block time', rounds: rounds.map(() => blockSeconds) }
      const longest = rounds.map((taken) => Math.max(...taken))
      return [
        figure('signature to complete, p50', 's', rounds.map(median), { against: block }),
        figure('signature to complete, longest', 's', longest, { against: block }),
      ]
    } finally {
      await service.chain.setIntervalMining({ interval: 0 })
      await service.chain.setAutomine(true)
    }
  })
}
