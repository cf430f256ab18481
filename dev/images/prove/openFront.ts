import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, request, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect, createServer as createTcpServer, type Server } from 'node:net'
import type { ChannelFiles } from '../../../core/x509/testing/createChannelCertificates.js'

interface Address {
  host: string
  port: number
}

/** The https proxy that stands before a deployment. */
export async function openFront(files: ChannelFiles, ports: Record<string, number>, addresses: readonly string[]) {
  const tls = { cert: readFileSync(files.serverCert), key: readFileSync(files.serverKey) }
  for (const host of addresses) await listen(createHttpsServer(tls, passOn(ports, 'https')), { host, port: 443 })
}

/** Passes http requests on to a port of this machine, by host name. */
export async function openByName(at: Address, ports: Record<string, number>): Promise<void> {
  await listen(createHttpServer(passOn(ports, 'http')), at)
}

function passOn(ports: Record<string, number>, protocol: string): RequestListener {
  return (req, res) => {
    const name = req.headers.host ?? ''
    const headers = {
      ...req.headers,
      'x-forwarded-proto': protocol,
      'x-forwarded-host': name,
      'x-forwarded-for': req.socket.remoteAddress,
    }
    const onward = { host: '127.0.0.1', port: ports[name], method: req.method, path: req.url, headers }
    const sent = request(onward, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
    })
    sent.on('error', () => res.writeHead(502).end())
    req.pipe(sent)
  }
}

/** Passes TCP connections on. */
export async function openRelay(from: Address, to: Address): Promise<void> {
  const server = createTcpServer((socket) => {
    const onward = connect(to)
    socket.on('error', () => onward.destroy())
    onward.on('error', () => socket.destroy())
    socket.pipe(onward).pipe(socket)
  })
  await listen(server, from)
}

async function listen(server: Server, address: Address): Promise<void> {
  await once(server.unref().listen(address), 'listening') // or throws
}
