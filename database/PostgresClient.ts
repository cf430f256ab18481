import type { Socket } from 'node:net'
import pg from 'pg'

/**
 * The driver's client with three things it lacks: a connection that goes silent during a query ends, a connection that
 * ends never takes the process with it, and a statement that repeats is planned once per connection.
 */
export class PostgresClient extends pg.Client {
  constructor(config: pg.ClientConfig & { silentMs: number }) {
    super(config)
    // A connection that ends may report it twice, the second time without a listener, and an error event without a
    // listener ends the process. The query on that connection fails and says why; the event adds nothing.
    this.on('error', () => undefined)
    const driver = this as unknown as Driver
    driver.connection.once('readyForQuery', () => endWhenSilent(driver, config.silentMs)) // with TLS it has its stream by then
  }

  override query(...[text, values, ...rest]: unknown[]): never {
    const named = typeof text === 'string' && Array.isArray(values) && values.length > 0
    const args = named ? [{ name: nameOf(text), text }, values, ...rest] : [text, values, ...rest]
    return (super.query as (...args: unknown[]) => never).apply(this, args) // `never` stands for all of its overloads
  }
}

/** Internals that the driver's types leave out. */
interface Driver {
  connection: NodeJS.EventEmitter & { stream: Socket }
  /** True when no query is running. */
  readyForQuery: boolean
}

/**
 * When a machine vanishes, its connections stay open for the quarter of an hour that TCP retries. Postgres ends every
 * statement long before `silentMs`, so silence means that it is gone. The driver's `query_timeout` fails the query but
 * keeps the connection, which TypeORM gives back to the pool, so the next query would hang again.
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

const names = new Map<string, string>()
/** Postgres keeps a named plan until the connection ends, so statements of varying text must not pile up. */
const maximumNames = 1_000

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known || names.size >= maximumNames) return known
  const name = `statement_${names.size}`
  names.set(text, name)
  return name
}
