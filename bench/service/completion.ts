import { figure, median, type Figure } from '../Figure.js'
import type { BenchService, Person } from './openService.js'

const blockSeconds = 2
const proofs = 8

/** From the answer with the signature to `complete`, on a chain that makes a block every two seconds. */
export async function completion(service: BenchService, person: Person): Promise<Figure[]> {
  await service.chain.setAutomine(false)
  await service.chain.setIntervalMining({ interval: blockSeconds })
  try {
    const rounds: number[] = []
    for (let round = 0; round < 3; round++) {
      const taken: number[] = []
      for (let proof = 0; proof < proofs; proof++) {
        const slug = await person.sign()
        const start = performance.now()
        await person.whenTerminal(slug)
        taken.push(performance.now() - start)
      }
      rounds.push(median(taken) / 1000)
    }
    const block = { name: 'block time', rounds: rounds.map(() => blockSeconds) }
    return [figure('signature to complete, p50', 's', rounds, { against: block })]
  } finally {
    await service.chain.setIntervalMining({ interval: 0 })
    await service.chain.setAutomine(true)
  }
}
