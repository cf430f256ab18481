import { formatEther } from 'viem'
import { readUsage, type UsageDay } from '../../database/index.js'
import type { OpsConfig } from '../config.js'
import { withDatabase } from '../connections.js'
import type { Outcome } from '../Outcome.js'

export interface UsageOptions {
  /** Today and the days before it. */
  days: number
  /** Users shown for each day; the totals count all. */
  top: number
  user?: string | undefined
}

const dayMs = 86_400_000

/** Shows what each user's proofs cost, by day. */
export function usage(config: OpsConfig, { days, top, user }: UsageOptions): Promise<Outcome> {
  return withDatabase(config, async (database) => {
    const tomorrow = new Date(Math.floor(Date.now() / dayMs) * dayMs + dayMs)
    const all = await readUsage(database, new Date(tomorrow.getTime() - days * dayMs), tomorrow)
    const wanted = all.filter(({ userId }) => user === undefined || userId === user)
    const lines: string[] = []
    for (const day of new Set(wanted.map((one) => one.day))) {
      const users = wanted.filter((one) => one.day === day)
      lines.push(`${day}  ${describe(sum(users))}  ${users.length} ${users.length === 1 ? 'user' : 'users'}`)
      for (const one of users.slice(0, top)) lines.push(`  ${one.userId}  ${describe(one)}`)
      if (users.length > top) lines.push(`  and ${users.length - top} more`)
    }
    if (lines.length === 0) lines.push(`no proof was completed within ${days} ${days === 1 ? 'day' : 'days'}`)
    const json = { usage: wanted.map((one) => ({ ...one, gasWei: String(one.gasWei), cpuMs: Math.round(one.cpuMs) })) }
    return { lines, json, exitCode: 0 }
  })
}

type Costs = Omit<UsageDay, 'day' | 'userId'>

const sum = (users: readonly Costs[]): Costs => {
  const total = (of: (one: Costs) => number) => users.reduce((all, one) => all + of(one), 0)
  return {
    transactions: total(({ transactions }) => transactions),
    messages: total(({ messages }) => messages),
    births: total(({ births }) => births),
    gasWei: users.reduce((all, { gasWei }) => all + gasWei, 0n),
    pins: total(({ pins }) => pins),
    entropy: total(({ entropy }) => entropy),
    cpuMs: total(({ cpuMs }) => cpuMs),
  }
}

const describe = ({ transactions, messages, births, gasWei, pins, entropy, cpuMs }: Costs): string =>
  `${transactions} transactions, ${messages} messages, ${births} births: gas ${formatEther(gasWei)} ETH, ${pins} pins, ` +
  `${entropy} entropy samples, ${(cpuMs / 1000).toFixed(1)} s CPU`
