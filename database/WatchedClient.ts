import type { Socket } from 'node:net'
import pg from 'pg'

/** A connection to Postgres that leaves nobody waiting for ever, and never ends the process. */
export class WatchedClient extends pg.Client {
  constructor(config: pg.ClientConfig & { silentMs: number }) {
    super(config)
    // A connection that ends may report it twice, the second time when nobody listens any more, and an error event without
    // a listener ends the process. The query on that connection fails and says why; the event adds nothing.
    this.on('error', () => undefined)
    const driver = this as unknown as Driver
    driver.connection.once('readyForQuery', () => endWhenSilent(driver, config.silentMs)) // with TLS it has its stream by then
  }
}

/** What the driver's types leave out. */
interface Driver {
  connection: NodeJS.EventEmitter & { stream: Socket }
  /** Whether nothing is being asked. */
  readyForQuery: boolean
}

/**
 * A machine that vanishes without a word leaves its connections open, and the system tries them for a quarter of an hour.
 * Postgres itself ends every statement long before this, so whoever is asked and silent for as long is gone.
 */
function endWhenSilent(client: Driver, silentMs: number): void {
  const { stream } = client.connection
  stream.setTimeout(silentMs)
  stream.on('timeout', () => {
    if (client.readyForQuery) return
    const error = new Error(`Connection terminated: Postgres was silent for ${silentMs} ms`)
    stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }))
  })
}
