import { connect, createServer, type Socket } from 'node:net'

// One address for several frontends, as a load balancer or a Kubernetes service gives it: TCP only, so TLS ends at the
// frontend. A connection goes to the next frontend that accepts it; clients whose connection breaks come again.
const port = Number(process.env['BALANCER_PORT'])
const backends = (process.env['BALANCER_BACKENDS'] ?? '').split(',')
let turn = 0

const server = createServer((client) => {
  client.on('error', () => undefined)
  client.setNoDelay(true)
  const from = turn++
  const offer = (attempt: number): void => {
    if (attempt === backends.length || client.destroyed) return void client.resetAndDestroy()
    const [host = '', backendPort] = (backends[(from + attempt) % backends.length] ?? '').split(':')
    const upstream = connect({ host, port: Number(backendPort), noDelay: true })
    const next = () => offer(attempt + 1)
    upstream.once('error', next)
    upstream.once('connect', () => {
      upstream.off('error', next)
      join(client, upstream)
    })
  }
  offer(0)
})

function join(client: Socket, upstream: Socket): void {
  upstream.on('error', () => client.resetAndDestroy())
  client.on('error', () => upstream.destroy())
  client.once('close', () => upstream.destroy())
  upstream.once('close', () => client.destroy())
  client.pipe(upstream)
  upstream.pipe(client)
}

server.listen(port, '127.0.0.1', () => server.on('error', ({ message }) => console.error(`not accepted: ${message}`)))
process.on('SIGTERM', () => process.exit(0))
