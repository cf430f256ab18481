import { randomBytes, randomUUID } from 'node:crypto'
import type { PublishReceiptInput, SignDigestInput } from '@perigee/core/workflow'

/** Characters of each result, as large as the real ones in a recorded run: sample, enclave answer with quote, verdict. */
const sizes = { entropy: 450, evidence: 17_080, verdict: 246 }

const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}` as const
const filler = (characters: number) => randomBytes(characters / 2).toString('hex')

/** The steps of a signature and of its publication, which do nothing. `published` hears of the last one. */
export function createShapeActivities(published: (slug: string) => void) {
  return {
    fetchEntropy: async (_input: SignDigestInput) => filler(sizes.entropy),
    signInEnclave: async (_input: { input: SignDigestInput; entropy: string }) => filler(sizes.evidence),
    verifyQuote: async (_input: { evidence: string; entropy: string }) => filler(sizes.verdict),
    async recordSignature(_input: { input: SignDigestInput; entropy: string; evidence: string; verdict: string }) {
      const names = { slug: randomUUID(), txHash: hex(32), wallet: hex(20), chainId: 31337 }
      const publication: PublishReceiptInput = { kind: 'transaction', ...names }
      return { ...publication, signature: hex(65) }
    },
    awaitBroadcast: async (_input: { slug: string }) => ({ seen: true }),
    pinReceipt: async (_input: { slug: string }) => ({ cid: `bafkrei${filler(52)}` }),
    async publishOnchain({ slug }: { slug: string }) {
      published(slug)
      return { transaction: hex(32), block: 1 }
    },
  }
}

export type ShapeActivities = ReturnType<typeof createShapeActivities>
