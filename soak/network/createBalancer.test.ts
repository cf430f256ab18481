import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { createBalancer, type Balancer } from './createBalancer.js'

const servers: Server[] = []
let balancer: Balancer
afterEach(async () => {
  await balancer.close()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A server that answers `/health/serving` and passes the rest to `handle`. */
async function api(handle: RequestListener, ready = () => true): Promise<number> {
  const server = createServer((request, answer) => {
    if (request.url === '/health/serving') answer.writeHead(ready() ? 200 : 503).end()
    else handle(request, answer)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as { port: number }).port
}
const whenReady = (count: number) => expect.poll(() => balancer.ready()).toBe(count)
async function open(ports: number[], ready = ports.length): Promise<string> {
  balancer = await createBalancer(ports)
  await whenReady(ready)
  return `http://127.0.0.1:${balancer.port}/x`
}

test('requests go to those that are ready, in turn', async () => {
  const seen: string[] = []
  const says =
    (name: string): RequestListener =>
    (_request, answer) =>
      void (seen.push(name), answer.end(name))
  const url = await open([await api(says('a')), await api(says('b')), await api(says('c'), () => false)], 2)
  for (let index = 0; index < 6; index++) await (await fetch(url)).text()
  expect(seen.filter((name) => name === 'a').length).toBeGreaterThan(1)
  expect(seen.filter((name) => name === 'b').length).toBeGreaterThan(1)
  expect(seen).not.toContain('c')
})

test('a connection that ends without an answer is tried elsewhere only when the request is safe to repeat', async () => {
  const asked: string[] = []
  const dies: RequestListener = (request) => void (asked.push('dies'), request.socket.destroy())
  const works: RequestListener = (_request, answer) => void (asked.push('works'), answer.end('done'))
  const url = await open([await api(dies), await api(works)])
  const post = (headers: Record<string, string>) => fetch(url, { method: 'POST', headers, body: '{}' })
  const statuses: number[] = []
  for (let index = 0; index < 4; index++) statuses.push((await post({ 'idempotency-key': `k${index}` })).status)
  expect(statuses).toEqual([200, 200, 200, 200])
  expect(asked).toContain('dies')
  expect(balancer.resent()).toBeGreaterThan(0)
  await whenReady(2) // the one that dies is ready again
  const plain = await Promise.all([post({}), post({})])
  expect(plain.map(({ status }) => status).sort()).toEqual([200, 502])
})
