import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ephemeral range, so that no outgoing connection takes the port before our program does. */
const [lowest, highest] = [20_000, 32_000]
const handedOut = new Set<number>()

/** A port that is free now and was not handed out before. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 500; tries++) {
    const port = randomInt(lowest, highest)
    if (handedOut.has(port)) continue
    handedOut.add(port)
    if (await isPortFree(port)) return port
  }
  throw new Error(`no free port was found between ${lowest} and ${highest}`)
}

/** Whether a server could listen on this port. */
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
