import { randomBytes } from 'node:crypto'
import { fromHex } from '@perigee/core'
import { createQuotingEnclave } from '@perigee/core/simulation'
import { createSoftPasskey, type SoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js'
import { signHash } from '../../enclave/keys/secp256k1.js'
import { createEnclave } from '../../enclave/testing/createEnclave.js'
import { createTestWorld, randomHex } from '../../enclave/testing/createTestWorld.js'
import { createKeyRequest, signRequest, walletOf, type TestWallet } from '../../enclave/testing/requests.js'
import { serveEnclave } from '../../clients/enclave/testing/serveEnclave.js'
import { figure, type Figure } from '../measure/Figure.js'
import { atShare, medianFigure, timeInRounds } from '../measure/timing.js'
import { counted } from '../measure/counted.js'

/** Apart from the checks of who asks, the enclave adds at most half of the bare work. */
const atMost = 1.5
const bare = 'bare secp256k1 sign and quote mint'
const unasked = 'enclave signTransaction, asker not verified'
const unaskedKey = 'enclave createKey, asker not verified'
const stated = 'enclave signTransaction'
const approved = 'enclave signTransaction with a passkey'

/**
 * The enclave's operations on the simulated platform against the minimum: one secp256k1 signature and one minted
 * quote. What the checks of statement and passkey cost is the difference of two rows. The rows over HTTPS add the
 * channel; client and server share one thread there.
 */
export async function enclave(): Promise<Figure[]> {
  // An enclave lives for days, so the time in which its code is compiled belongs to no request.
  const turns = { turns: counted(120), warmUp: counted(300) }
  const calls = 3 * turns.turns + turns.warmUp
  const world = await createTestWorld()
  const served = await serveEnclave(world)
  try {
    const { createKey, signTransaction } = createEnclave(world)
    const reportHash = randomHex(32)
    const trusting = createEnclave(world, { verifyAsker: async () => reportHash })
    // More of them than the enclave remembers keys of: most requests come from somebody it has not seen lately.
    const passkeys = Array.from({ length: 100 }, () => createSoftPasskey())
    const newWallet = async (options: Parameters<typeof createKeyRequest>[1] = {}) => {
      const request = createKeyRequest(world, options)
      return walletOf(request, await createKey(request))
    }
    const wallet = await newWallet()
    const owned: { wallet: TestWallet; passkey: SoftPasskey }[] = []
    for (const passkey of passkeys) owned.push({ wallet: await newWallet({ passkeys: [passkey] }), passkey })
    const many = <T>(make: (_: unknown, i: number) => T) => Array.from({ length: calls }, make)
    const signs = many(() => signRequest(wallet, world))
    const approvals = many((_, i) => {
      const { wallet, passkey } = owned[i % owned.length]!
      return signRequest(wallet, world, { passkey })
    })
    const creates = many(() => createKeyRequest(world))
    const quoteOf = createQuotingEnclave(world.tdx.quoteKeys)
    const [privateKey, digest] = [randomBytes(32), randomBytes(32)]
    const rounds = await timeInRounds(turns, {
      [bare]: (i) => {
        digest.writeUInt32BE(i)
        return quoteOf({ reportData: fromHex(signHash(digest, privateKey)).subarray(0, 64) })
      },
      [unasked]: (i) => trusting.signTransaction(signs[i]),
      [stated]: (i) => signTransaction(signs[i]),
      [approved]: (i) => signTransaction(approvals[i]),
      [unaskedKey]: (i) => trusting.createKey(creates[i]),
      'enclave createKey': (i) => createKey(creates[i]),
      'enclave signTransaction over HTTPS': (i) => served.client.signTransaction(signs[i]!),
      'enclave createKey over HTTPS': (i) => served.client.createKey(creates[i]!),
    })
    const difference = (more: keyof (typeof rounds)[number], less: keyof (typeof rounds)[number]) => {
      // Of the calls that nothing interrupted: a difference of medians would measure the other work on a busy machine.
      const [high, low] = [atShare(rounds, more, 0.1), atShare(rounds, less, 0.1)]
      return high.map((value, round) => value - (low[round] ?? NaN))
    }
    return [
      medianFigure(rounds, bare),
      medianFigure(rounds, unasked, { against: bare, atMost }),
      medianFigure(rounds, stated, { against: bare }),
      medianFigure(rounds, approved, { against: bare }),
      figure('statement and report (warm) of a signature', 'ms', difference(stated, unasked), { atMost: 1 }),
      figure('passkey of a signature', 'ms', difference(approved, stated), { atMost: 1.5 }),
      medianFigure(rounds, unaskedKey, { against: bare, atMost }),
      medianFigure(rounds, 'enclave createKey', { against: bare }),
      medianFigure(rounds, 'enclave signTransaction over HTTPS', { against: bare }),
      medianFigure(rounds, 'enclave createKey over HTTPS', { against: bare }),
    ]
  } finally {
    await served.close()
    world.remove()
  }
}
