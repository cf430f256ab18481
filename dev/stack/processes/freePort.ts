import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'

/** Below the ephemeral range, so that no outgoing connection takes the port before our program does. */
const [lowest, count] = [20_000, 6_000]

/**
 * A port that is free now, and that no other process of ours gets while this one lives. The claim is a listener on the
 * port's twin, `count` above it: the system keeps it unique among processes, and gives it up when this one dies.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 500; tries++) {
    const port = lowest + randomInt(count)
    const claim = await listen(port + count, '127.0.0.1')
    if (!claim) continue
    claim.unref()
    if (await isPortFree(port)) return port
  }
  throw new Error(`no free port was found between ${lowest} and ${lowest + count}`)
}

/** Whether a server could listen on this port. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port))
}

/** Whether a server could listen on this port of an address of ours, by default of all. */
export async function canListen(port: number, host?: string): Promise<boolean> {
  const server = await listen(port, host)
  if (!server) return false
  await new Promise((closed) => server.close(closed))
  return true
}

function listen(port: number, host?: string): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen(port, host, () => resolve(server))
  })
}
