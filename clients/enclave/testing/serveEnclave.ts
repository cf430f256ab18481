import type { AddressInfo } from 'node:net'
import { createEnclaveClient } from '../createEnclaveClient.js'
import type { Platform } from '../../../enclave/platforms/Platform.js'
import { createEnclaveServer } from '../../../enclave/server.js'
import { createEnclave } from '../../../enclave/testing/createEnclave.js'
import type { TestWorld } from '../../../enclave/testing/createTestWorld.js'

/** The enclave inside the test's own process, behind its real server, with a client connected to it. */
export async function serveEnclave(
  world: Pick<TestWorld, 'dir' | 'env' | 'tls'>,
  env: Record<string, string> = {},
  platform: Partial<Platform> = {},
) {
  const { config, operations } = createEnclave(world, { env, platform })
  const server = createEnclaveServer({ ...config, operations, log: () => undefined })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createEnclaveClient({ url, ...world.tls })
  const close = async () => {
    client.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, client, config, close }
}
