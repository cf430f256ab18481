import type { ClientRequest } from 'node:http'
import { createClient } from './createClient.js'
import { createPace } from './createPace.js'
import type { Account, HostilePlan } from './Plan.js'

const attemptsPerSecond = 30
/** Three times the share of a user, one and a half times that of an address. The rest must be refused. */
const wanted = { user: 60, address: 150 }
/** With a session until the user's share is used up, then one attempt in this many. */
const sessionEvery = 16

/** Opens event streams from one address, with a session and without, and holds them without reading. */
export function createHolder(
  account: Account,
  { apiUrls, pendingSlugs }: Pick<HostilePlan, 'apiUrls' | 'pendingSlugs'>,
) {
  const client = createClient(account, apiUrls, 60)
  const { cookie: _, ...anonymous } = account.headers
  const open = { user: new Set<ClientRequest>(), address: new Set<ClientRequest>() }
  const most = { user: 0, address: 0 }
  let isHolding = false
  let turn = 0

  function hold(stream: ClientRequest, kinds: readonly (keyof typeof open)[]): void {
    if (!isHolding) return void stream.destroy()
    for (const kind of kinds) {
      open[kind].add(stream)
      most[kind] = Math.max(most[kind], open[kind].size)
      stream.once('close', () => open[kind].delete(stream))
    }
  }

  function attempt(): void {
    const isUsedUp = client.refusals().some(({ share }) => share === 'user.streams')
    const withSession = !isUsedUp || turn % sessionEvery === 0
    turn++
    if (open[withSession ? 'user' : 'address'].size >= wanted[withSession ? 'user' : 'address']) return
    const path = `/proof/${pendingSlugs[turn % pendingSlugs.length]}/events`
    void client.ask({
      operation: 'streamProof',
      method: 'GET',
      path,
      headers: withSession ? account.headers : anonymous,
      hold: (stream) => hold(stream, withSession ? ['user', 'address'] : ['address']),
    })
  }

  const pace = createPace(attemptsPerSecond, attempt)
  return {
    client,
    /** Most at once. */
    streams: () => [
      { kind: 'user' as const, holder: account.name, most: most.user },
      { kind: 'address' as const, holder: account.name, most: most.address },
    ],
    start(): void {
      isHolding = true
      pace.start()
    },
    stop(): void {
      isHolding = false
      pace.stop()
      for (const stream of open.address) stream.destroy()
    },
  }
}
