import type { AddressInfo } from 'node:net'
import { createEnclaveClient } from '../../clients/enclave/createEnclaveClient.js'
import { createAdmission } from '../admission.js'
import { parseConfig } from '../config.js'
import { createKeyOperation } from '../createKey.js'
import { limitQuotes, type Platform } from '../platforms/Platform.js'
import { createEnclaveServer } from '../server.js'
import { openSimulatedPlatform } from '../platforms/simulatedPlatform.js'
import { signTransactionOperation } from '../signTransaction.js'
import { nowSeconds, type TestWorld } from './createTestWorld.js'

/** The enclave inside the test's own process, behind its real server, with a client connected to it. */
export async function serveEnclave(
  world: TestWorld,
  changes: Record<string, string> = {},
  platformChanges: Partial<Platform> = {},
) {
  const config = parseConfig({ ...world.env, ...changes })
  const platform = limitQuotes({ ...openSimulatedPlatform(world.dir), ...platformChanges }, config.quotes)
  const admission = createAdmission({ trust: config.trust, capacity: config.rememberedRequests })
  const operations = {
    'POST /create-key': createKeyOperation({ platform, admission, now: nowSeconds }),
    'POST /sign-transaction': signTransactionOperation({ platform, admission, policy: config.policy, now: nowSeconds }),
  }
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
