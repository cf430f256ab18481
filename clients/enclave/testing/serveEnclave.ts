import { createEnclaveClient } from '../createEnclaveClient.js'
import type { Platform } from '../../../enclave/platforms/Platform.js'
import { createEnclaveServer } from '../../../enclave/server.js'
import { createEnclave } from '../../../enclave/testing/createEnclave.js'
import type { TestWorld } from '../../../enclave/testing/createTestWorld.js'
import { listen } from '../../../tests/rigs/servers/listen.js'

/** The enclave inside the test's own process, behind its real server, with a client connected to it. */
export async function serveEnclave(
  world: Pick<TestWorld, 'dir' | 'env' | 'tls'>,
  env: Record<string, string> = {},
  platform: Partial<Platform> = {},
) {
  const { config, operations } = createEnclave(world, { env, platform })
  const server = await listen(createEnclaveServer({ ...config, operations, log: () => undefined }))
  const url = server.url.replace('http', 'https')
  const client = createEnclaveClient({ url, ...world.tls })
  const close = async () => {
    client.close()
    await server.close()
  }
  return { url, client, config, close }
}
