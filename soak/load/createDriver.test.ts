import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRandom } from '../../tests/createRandom.js'
import { createDriver } from './createDriver.js'
import type { SoakUser } from './createUser.js'
import { hostileRequest } from '../attack/hostile/hostileRequest.js'

let server: Server
let answers: { status: number; body: object }[]
let asked: number
beforeEach(async () => {
  answers = []
  asked = 0
  server = createServer((_req, res) => {
    asked += 1
    const { status, body } = answers.shift() ?? { status: 200, body: { slug: 'slug', signature: '0x00' } }
    res.writeHead(status).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))

function open(funded = () => undefined as void) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const user = {
    index: 0,
    wallet: '0x00',
    headers: () => ({}),
    approve: () => null,
    nextMessage: () => hostileRequest('message', 1),
    fund: async () => funded(),
  } as unknown as SoakUser
  return createDriver({
    apiUrl: url,
    rpcUrl: url,
    users: [user],
    random: createRandom(1),
    record: () => undefined,
    repeatOneIn: Infinity,
    unsentOneIn: 0,
    messageOneIn: 1,
    maxInFlight: 5,
  })
}

test('asks for nothing while it is held, then goes on at its rate', async () => {
  const driver = open()
  let isHeld = true
  const running = driver.run(10, 50, { held: () => isHeld })
  await sleep(500)
  expect(asked).toBe(0)
  isHeld = false
  const from = performance.now()
  await running
  await driver.whenAnswered(10_000)
  expect(driver.state).toMatchObject({ asked: 10, acknowledged: 10 })
  expect(performance.now() - from).toBeGreaterThan(150) // those that were due meanwhile are not made up for
})

test('a user who cannot pay gets money and asks again', async () => {
  answers = [{ status: 422, body: { code: 'insufficient_funds' } }]
  let times = 0
  const driver = open(() => void times++)
  await driver.run(1, 50)
  await driver.whenAnswered(10_000)
  expect([times, asked, driver.state.acknowledged]).toEqual([1, 2, 1])
})

test('for a client that never retries, money that a killed node lost is no failure of the service', async () => {
  answers = [{ status: 422, body: { code: 'insufficient_funds' } }]
  let times = 0
  const driver = open(() => void times++)
  expect(await driver.once()).toMatchObject({ status: 200 })
  expect([times, asked, driver.state.acknowledged]).toEqual([1, 2, 1])
})
