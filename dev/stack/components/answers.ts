import { connect } from 'node:net'

/** Whether this address answers a GET with success. */
export async function answersHttp(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(3_000), redirect: 'manual' })
  await answer.body?.cancel()
  return answer.ok
}

/** Whether someone accepts connections on this port. */
export function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.setTimeout(2_000, () => socket.destroy())
    socket.once('connect', () => socket.end(() => resolve(true)))
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })
}
