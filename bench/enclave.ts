import { randomBytes } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1'
import { mintQuote } from '@perigee/core/simulation'
import { createAdmission } from '../enclave/admission.js'
import { parseConfig } from '../enclave/config.js'
import { createKeyOperation } from '../enclave/createKey.js'
import { limitQuotes } from '../enclave/platform.js'
import { openSimulatedPlatform } from '../enclave/simulatedPlatform.js'
import { signTransactionOperation } from '../enclave/signTransaction.js'
import { createKeyRequest, createTestWorld, nowSeconds, signRequest } from '../enclave/testing/createTestWorld.js'
import { serveEnclave } from '../enclave/testing/serveEnclave.js'
import { compare, measureInTurn, type BenchmarkRow } from './Benchmark.js'

const operations = 400
/** "The enclave adds less than half": at least this share of the bare speed is left. */
const goal = 1 / 1.5

/**
 * The enclave's operations on the simulated platform against what no enclave can do without: one secp256k1 signature
 * and one minted quote. The rows over HTTPS add the channel, with client and server sharing one thread.
 */
export async function enclave(): Promise<BenchmarkRow[]> {
  const world = await createTestWorld()
  const served = await serveEnclave(world)
  try {
    const config = parseConfig(world.env)
    const platform = limitQuotes(openSimulatedPlatform(world.dir), config.quotes)
    const admission = createAdmission({ trust: config.trust, capacity: config.rememberedRequests })
    const createKey = createKeyOperation({ platform, admission, now: nowSeconds })
    const sign = signTransactionOperation({ platform, admission, now: nowSeconds, policy: config.policy })
    const key = await createKey(createKeyRequest(world.satellite))

    const count = operations + 20
    const signs = Array.from({ length: count }, () => signRequest(key, world.satellite))
    const creates = Array.from({ length: count }, () => createKeyRequest(world.satellite))
    const [privateKey, digest] = [randomBytes(32), randomBytes(32)]
    const [bare, ...rows] = await measureInTurn(operations, {
      'bare secp256k1 sign and quote mint': (i) => {
        digest.writeUInt32BE(i)
        const signature = secp256k1.sign(digest, privateKey).toCompactRawBytes()
        return mintQuote({ reportData: signature }, world.tdx.quoteKeys)
      },
      'enclave signTransaction': (i) => sign(signs[i]),
      'enclave createKey': (i) => createKey(creates[i]),
      'enclave signTransaction over HTTPS': (i) => served.client.signTransaction(signs[i]!),
      'enclave createKey over HTTPS': (i) => served.client.createKey(creates[i]!),
    })
    return [bare!, ...rows.map((row, i) => compare(row, bare!, i < 2 ? goal : undefined))]
  } finally {
    await served.close()
    world.remove()
  }
}
