import { beforeEach, expect, test, vi } from 'vitest'
import { pino } from 'pino'
import type { DataSource } from 'typeorm'
import { registerApplications } from '../../database/index.js'
import { useDatabase } from '../../tests/harness/index.js'
import { startDeliveries, type StartDeliveriesInput } from './startDeliveries.js'

let database: DataSource
useDatabase((opened) => (database = opened))
beforeEach(() => database.query('TRUNCATE webhook_deliveries, webhook_applications'))

const write = (count: number, application: string, columns = '', values = '') =>
  database.query(
    `INSERT INTO webhook_deliveries (event_id, application, type, data ${columns})
     SELECT 'evt_' || n, $1, 'wallet.created', '{}' ${values} FROM generate_series(1, ${count}) n`,
    [application],
  )

/** The loop, with this way to start a workflow. */
function startLoop(start: StartDeliveriesInput['start'], names: string[] = []) {
  const started: string[] = []
  const undelivered = vi.fn()
  const { stop } = startDeliveries({
    database,
    start: async (delivery) => {
      await start(delivery)
      started.push(delivery.eventId)
    },
    meter: { undelivered, attempted: () => undefined },
    names,
    log: pino({ enabled: false }),
    everyMs: 20,
  })
  return { started, undelivered, stop }
}

const until = (condition: () => unknown, value: unknown) => expect.poll(condition, { timeout: 20_000 }).toBe(value)

test('a delivery that cannot be started blocks no other, and is not tried in every round', async () => {
  await write(350, 'shop') // several pages
  let refused = 0
  const { started, stop } = startLoop(({ eventId }) =>
    eventId === 'evt_7' ? Promise.reject(new Error(`refused ${++refused}`)) : Promise.resolve(),
  )
  await until(() => started.length, 349)
  await stop()
  expect(new Set(started).size).toBe(349)
  expect(refused).toBe(1)
})

test('while Temporal is away nothing counts as started, and all of it starts when it is back', async () => {
  await write(15, 'shop')
  let calls = 0
  const { started, stop } = startLoop(() =>
    ++calls <= 45 ? Promise.reject(new Error('unavailable')) : Promise.resolve(),
  )
  await until(() => started.length, 15)
  await stop()
  expect(new Set(started).size).toBe(15)
})

test('the count of an application that is not in the file goes back to 0', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    await write(2, 'old', ', state, ended_at', `, 'dead', now()`)
    const { undelivered, stop } = startLoop(() => Promise.resolve())
    const dead = () => (undelivered.mock.lastCall?.[1] as { dead: number } | undefined)?.dead
    await until(dead, 2)
    await database.query('TRUNCATE webhook_deliveries')
    vi.setSystemTime(Date.now() + 20_000)
    await until(dead, 0)
    await stop()
  } finally {
    vi.useRealTimers()
  }
})

test('the applications of the file stay registered while the loop runs', async () => {
  await registerApplications(database, [{ name: 'shop', events: ['wallet.created'], walletsOf: null }])
  await database.query(`UPDATE webhook_applications SET lapses_at = now()`)
  const { stop } = startLoop(() => Promise.resolve(), ['shop'])
  const daysLeft = async () => {
    const [row] = await database.query<[{ days: number }]>(
      'SELECT round(extract(epoch FROM lapses_at - now()) / 86400)::int AS days FROM webhook_applications',
    )
    return row.days
  }
  await until(daysLeft, 7)
  await stop()
})
