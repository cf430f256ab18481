import { createServer } from 'node:http'
import { pino } from 'pino'
import { ConfigError } from '@perigee/core/config'
import { describeError } from '@perigee/core/errors'
import { EncryptionCodec } from '../codec/EncryptionCodec.js'
import { parseConfig } from './config.js'
import { createCodecApp } from './createCodecApp.js'
import { createOperatorSignIn } from './createOperatorSignIn.js'
import { createUiProxy } from './createUiProxy.js'

try {
  const { host, port, keys, uiOrigins, signIn } = parseConfig(process.env)
  const log = pino({ base: { program: 'codec' }, timestamp: pino.stdTimeFunctions.isoTime })
  const operatorSignIn = signIn && createOperatorSignIn(signIn, log)
  const uiProxy =
    operatorSignIn && signIn.uiUpstream
      ? createUiProxy({ ...signIn, upstream: signIn.uiUpstream, isSignedIn: operatorSignIn.isSignedIn })
      : null
  const codec = new EncryptionCodec(keys, 'show')
  const server = createServer(createCodecApp({ codec, uiOrigins, signIn: operatorSignIn, uiProxy }))
  server.listen(port, host, () => {
    // Nothing else hears of a connection that could not be accepted, and an error nobody hears ends the process.
    server.on('error', (error) => log.warn(describeError(error), 'a connection was not accepted'))
    log.info({ host, port, development: !signIn }, 'codec server is ready')
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close(() => process.exit(0))
      server.closeIdleConnections()
    })
  }
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : 'failed']
  for (const line of lines) console.error(`codec server: ${line}`)
  process.exit(1)
}
