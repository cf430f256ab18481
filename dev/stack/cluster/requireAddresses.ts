import { createServer } from 'node:net'
import { PortsTaken } from '../settings/ports.js'
import { nodes } from './layout.js'

/** Linux answers on all of 127.0.0.0/8; macOS only on addresses that were added. */
export async function requireAddresses(): Promise<void> {
  for (const node of nodes) {
    const isThere = await new Promise<boolean>((resolve) => {
      const server = createServer()
      server.once('error', () => resolve(false))
      server.listen(0, node, () => server.close(() => resolve(true)))
    })
    if (isThere) continue
    throw new PortsTaken(
      `The cluster needs the loopback addresses ${nodes.join(' and ')}; add them first (macOS: sudo ifconfig lo0 alias ${node}).`,
    )
  }
}
