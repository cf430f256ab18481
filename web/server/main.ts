import { parseConfig, type WebServerConfig } from './config.js'
import { createWebServer } from './createWebServer.js'

function readConfig(): WebServerConfig {
  try {
    return parseConfig(process.env)
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}

const config = readConfig()
const server = createWebServer(config)
server.listen(config.port, () => console.log(`web on port ${config.port}`))
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close()
    server.closeAllConnections()
  })
}
