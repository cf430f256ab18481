import { figure, share, type Figure } from '../Figure.js'
import type { BenchService, Person } from './openService.js'

export interface Times {
  noop: number[]
  sign: number[]
  proof: number[]
}

/**
 * Milliseconds of each request, one at a time and in turn with the workflow that does nothing, so that a busy machine is
 * equally busy for all. Between two turns the service is left alone, until the signature's own proof is published.
 */
export async function timeInTurn(service: BenchService, person: Person, turns: number): Promise<Times> {
  const times: Times = { noop: [], sign: [], proof: [] }
  const timed = async <T>(list: number[], work: () => Promise<T>): Promise<T> => {
    const start = performance.now()
    const result = await work()
    list.push(performance.now() - start)
    return result
  }
  for (let turn = 0; turn < turns; turn++) {
    await timed(times.noop, () => service.noop())
    const slug = await timed(times.sign, () => person.sign())
    await person.whenTerminal(slug)
    await timed(times.proof, () => person.api.getProof(slug))
  }
  return times
}

/** `POST /sign/digest`, request to answer, against start to result of a workflow that does nothing. */
export async function latency(service: BenchService, person: Person): Promise<Figure[]> {
  await timeInTurn(service, person, 15) // nobody's first request is typical
  const rounds: Times[] = []
  for (let round = 0; round < 3; round++) rounds.push(await timeInTurn(service, person, 30))
  const of = (kind: keyof Times, part: number) => rounds.map((times) => share(times[kind], part))
  return [0.5, 0.95, 0.99].flatMap((part) => {
    const at = `p${part * 100}`
    const noop = { name: `no-op workflow, execute, ${at}`, rounds: of('noop', part) }
    const goal = part === 0.5 ? { atMost: 1 } : {}
    return [
      figure(noop.name, 'ms', noop.rounds),
      figure(`POST /sign/digest, ${at}`, 'ms', of('sign', part), { against: noop, ...goal }),
    ]
  })
}
