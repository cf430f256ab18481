import { randomBytes } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1'
import { createQuotingEnclave } from '@perigee/core/simulation'
import { createAdmission } from '../../enclave/admission.js'
import { parseConfig } from '../../enclave/config.js'
import { createKeyOperation } from '../../enclave/createKey.js'
import { limitQuotes } from '../../enclave/platforms/Platform.js'
import { openSimulatedPlatform } from '../../enclave/platforms/simulatedPlatform.js'
import { signTransactionOperation } from '../../enclave/signTransaction.js'
import { createKeyRequest, createTestWorld, nowSeconds, signRequest } from '../../enclave/testing/createTestWorld.js'
import { serveEnclave } from '../../enclave/testing/serveEnclave.js'
import type { Figure } from '../measure/Figure.js'
import { medianFigure, timeInRounds } from '../measure/timing.js'
import { counted } from '../measure/counted.js'

/** The enclave adds at most half of the bare work. */
const atMost = 1.5
const bare = 'bare secp256k1 sign and quote mint'

/**
 * The enclave's operations on the simulated platform against the minimum: one secp256k1 signature and one minted
 * quote. The rows over HTTPS add the channel; client and server share one thread there.
 */
export async function enclave(): Promise<Figure[]> {
  // An enclave lives for days, so the time in which its code is compiled belongs to no request.
  const turns = { turns: counted(120), warmUp: counted(300) }
  const calls = 3 * turns.turns + turns.warmUp
  const world = await createTestWorld()
  const served = await serveEnclave(world)
  try {
    const config = parseConfig(world.env)
    const platform = limitQuotes(openSimulatedPlatform(world.dir), config.quotes)
    const admission = createAdmission({ trust: config.trust, capacity: config.rememberedRequests })
    const createKey = createKeyOperation({ platform, admission, now: nowSeconds })
    const sign = signTransactionOperation({ platform, admission, now: nowSeconds, policy: config.policy })
    const key = await createKey(createKeyRequest(world.satellite))

    const signs = Array.from({ length: calls }, () => signRequest(key, world.satellite))
    const creates = Array.from({ length: calls }, () => createKeyRequest(world.satellite))
    const quoteOf = createQuotingEnclave(world.tdx.quoteKeys)
    const [privateKey, digest] = [randomBytes(32), randomBytes(32)]
    const rounds = await timeInRounds(turns, {
      [bare]: (i) => {
        digest.writeUInt32BE(i)
        const signature = secp256k1.sign(digest, privateKey).toCompactRawBytes()
        return quoteOf({ reportData: signature })
      },
      'enclave signTransaction': (i) => sign(signs[i]),
      'enclave createKey': (i) => createKey(creates[i]),
      'enclave signTransaction over HTTPS': (i) => served.client.signTransaction(signs[i]!),
      'enclave createKey over HTTPS': (i) => served.client.createKey(creates[i]!),
    })
    return [
      medianFigure(rounds, bare),
      medianFigure(rounds, 'enclave signTransaction', { against: bare, atMost }),
      medianFigure(rounds, 'enclave createKey', { against: bare, atMost }),
      medianFigure(rounds, 'enclave signTransaction over HTTPS', { against: bare }),
      medianFigure(rounds, 'enclave createKey over HTTPS', { against: bare }),
    ]
  } finally {
    await served.close()
    world.remove()
  }
}
