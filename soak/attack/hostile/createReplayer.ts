import { countSame, createClient } from './createClient.js'
import { createPace } from './createPace.js'
import type { Account, HostilePlan, Replay, ReplayOutcome } from './Plan.js'

const perSecond = 10
const connections = 20

/** Sends what was captured, again and again, and counts the answers. */
export function createReplayer(account: Account, { apiUrls, replays }: Pick<HostilePlan, 'apiUrls' | 'replays'>) {
  const client = createClient(account, apiUrls, connections)
  const outcomes = countSame<Omit<ReplayOutcome, 'times'>>()
  let turn = 0

  async function replay({ name, expect, path, headers, body, answer: first }: Replay): Promise<void> {
    const question = { operation: `replay: ${name}`, method: 'POST', path, headers, body }
    const answer = await client.ask(question)
    if (!answer) return
    const { status, code } = answer
    const same = status === 200 && first !== null && isSame(answer.text, first)
    outcomes.add({ name, expect, status, code, same })
  }

  const next = () => void replay(replays[turn++ % replays.length] as Replay)
  return { client, outcomes: outcomes.list, ...createPace(perSecond, next) }
}

/** The order of members may differ between an answer that is kept and one that is made again. */
function isSame(text: string, first: string): boolean {
  const sorted = (json: string) => JSON.stringify(Object.entries(JSON.parse(json) as object).sort())
  return sorted(text) === sorted(first)
}
