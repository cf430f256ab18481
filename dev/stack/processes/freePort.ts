import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections: one of those must not have it before our program does. */
const [lowest, highest] = [20_000, 32_000]
const given = new Set<number>()

/** A port nobody listens on just now, and not one that was given out before. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 500; tries++) {
    const port = randomInt(lowest, highest)
    if (given.has(port)) continue
    given.add(port)
    if (await isPortFree(port)) return port
  }
  throw new Error(`no free port was found between ${lowest} and ${highest}`)
}

/** Whether this port could be listened on. */
export async function isPortFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', undefined]) {
    const free = await new Promise<boolean>((resolve) => {
      const server = createServer()
      server.once('error', () => resolve(false))
      server.listen(port, host, () => server.close(() => resolve(true)))
    })
    if (!free) return false
  }
  return true
}
