import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { parseConfig } from './config.js'
import { createSatelliteServer } from './createSatelliteServer.js'
import { openIdentity, pinOf } from './identity.js'
import { openSequence } from './sequence.js'

const log = pino({ name: 'satellite' })

try {
  const config = parseConfig(process.env)
  const identity = openIdentity(config.dir)
  const server = createSatelliteServer(identity, openSequence(config.dir))
  server.listen(config.port, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    log.info({ port, pin: JSON.stringify(pinOf(identity)) }, 'satellite stand-in is listening')
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close()
      server.closeAllConnections()
    })
  }
} catch (error) {
  log.fatal(error instanceof Error ? error.message : 'could not start')
  process.exitCode = 1
}
