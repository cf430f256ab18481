import { createServer, connect, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/** Faults of a network between two programs. */
export const linkFaults = ['latency', 'reset', 'trickle', 'half-open'] as const
export type LinkFault = (typeof linkFaults)[number]

const latencyMs = 2_000
const trickle = { bytes: 100, everyMs: 100 } // a kilobyte a second

/**
 * A TCP proxy with faults. `latency` holds every chunk for two seconds, `reset` resets open and new connections, `trickle`
 * passes a kilobyte a second, `half-open` accepts everything and passes nothing on, like a machine that lost power. `down`
 * is the same as `reset`, for an outage without an end.
 */
export async function createLink(target: number, listenPort = 0) {
  let targetPort = target
  let fault: LinkFault | 'down' | null = null
  const sockets = new Set<Socket>()
  const wake = new Set<() => void>()
  const refuses = () => fault === 'reset' || fault === 'down'

  const server = createServer({ allowHalfOpen: true }, (client) => {
    keep(client)
    if (refuses()) return void client.resetAndDestroy()
    const upstream = connect({ port: targetPort, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    keep(upstream)
    client.setNoDelay(true)
    client.pipe(faulty()).pipe(upstream)
    upstream.pipe(faulty()).pipe(client)
    // An orderly end travels with the data, however slowly; a broken connection breaks the other one.
    client.once('close', (broken) => broken && upstream.destroy())
    upstream.once('close', (broken) => broken && client.resetAndDestroy())
  })

  function keep(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => undefined) // `close` follows
    socket.once('close', () => sockets.delete(socket))
  }

  /** Waits, but no longer than the fault lasts. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        wake.delete(done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      wake.add(done)
    })
  }

  function faulty(): Transform {
    const pass = async (stream: Transform, chunk: Buffer): Promise<void> => {
      if (fault === 'half-open') return // lost
      if (fault === 'latency') await pause(latencyMs)
      let rest = chunk
      while (fault === 'trickle' && rest.length > trickle.bytes) {
        stream.push(rest.subarray(0, trickle.bytes))
        rest = rest.subarray(trickle.bytes)
        await pause(trickle.everyMs)
      }
      stream.push(rest)
    }
    return new Transform({
      transform(chunk: Buffer, _encoding, done) {
        if (fault === null) return done(null, chunk)
        pass(this, chunk).then(() => done(), done)
      },
    })
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(listenPort, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as { port: number }).port,
    /** Null ends the fault. Connections of a `half-open` or `reset` link do not survive it. */
    set(next: typeof fault) {
      const lossy = fault === 'half-open'
      fault = next
      for (const done of [...wake]) done()
      // The bytes that a half-open link dropped are lost, so its connections are dead.
      if (lossy || refuses()) for (const socket of sockets) socket.resetAndDestroy()
    },
    /** To another server of the same kind; open connections end, and new ones go there. */
    retarget(next: number) {
      targetPort = next
      for (const socket of sockets) socket.resetAndDestroy()
    },
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

export type Link = Awaited<ReturnType<typeof createLink>>
