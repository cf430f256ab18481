import { ConfigError } from '@perigee/core/config'
import { EncryptionCodec } from '../codec/EncryptionCodec.js'
import { parseConfig } from './config.js'
import { createCodecServer } from './createCodecServer.js'

try {
  const { port, keys, ...options } = parseConfig(process.env)
  const server = createCodecServer({ ...options, codec: new EncryptionCodec(keys) })
  // Loopback only: put TLS in front of it to reach it from elsewhere.
  server.listen(port, '127.0.0.1', () => console.log(`codec server listens on 127.0.0.1:${port}`))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.close(() => process.exit(0)))
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : 'failed']
  for (const line of lines) console.error(`codec server: ${line}`)
  process.exit(1)
}
