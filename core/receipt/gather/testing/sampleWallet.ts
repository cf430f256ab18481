import { cidOf, type Hex } from '../../../bytes/index.js'
import { ServiceError } from '../../../errors/index.js'
import { nodeOf, type NodeOptions } from './nodeOf.js'
import { mintBirth } from '../../testing/mintBirth.js'
import { mintMessage } from '../../testing/mintMessage.js'
import { blocksOf, mintReceipt, type Minted } from '../../testing/mintReceipt.js'
import { sampleEntropy, type SimulatedWorld } from '../../testing/simulatedWorld.js'
import type { PublishedEvent } from '../../verify/index.js'
import type { WalletSources } from '../../wallet/createRowMaker.js'

/** The chain of events and transactions alike. */
const chainId = 31337

/** The random value of a sample. */
export const valueOf = (number: number): Hex => `0x${(number + 1).toString(16).padStart(64, '0')}`

/**
 * A wallet with a birth and a receipt for each of these nonces, all of them good, published one block after another, by
 * the contract that the anchors name unless another is given.
 */
export function createSampleWallet(
  world: SimulatedWorld,
  nonces: readonly number[],
  publication?: Minted['receipt']['verification']['publication'],
) {
  const birth = mintBirth(world, { publication })
  const mint = (nonce: number, value = valueOf(nonce), transaction: Partial<Minted['receipt']['transaction']> = {}) =>
    mintReceipt(world, {
      transaction: { chainId, nonce, ...transaction },
      entropy: sampleEntropy(String(nonce), world.signedAt - 5, value),
      birth,
      ...(publication && { publication }),
    })
  const receipts = nonces.map((nonce) => mint(nonce))
  const events = [...birth.evidence.events, ...receipts.map((one, index) => eventAt(one, 12 + index))]
  const txHashes = receipts.map(({ receipt }) => receipt.transaction.txHash)
  const { announcements: releases } = birth.evidence.releases
  const blocks: Record<string, Uint8Array> = Object.assign({ [cidOf(birth.evidence.receipt)]: birth.evidence.receipt }, ...receipts.map(blocksOf)) // prettier-ignore
  return { wallet: birth.birth.key.address, birth, receipts, events, txHashes, releases, blocks, mint }
}

export type SampleWallet = ReturnType<typeof createSampleWallet>

/** The event of a minted receipt in another block, at another time. */
export function eventAt({ evidence }: Pick<Minted, 'evidence'>, blockNumber: number, seconds = 8): PublishedEvent {
  const [event] = evidence.events as [PublishedEvent]
  return { ...event, blockNumber, blockTimestamp: event.blockTimestamp - 8 + seconds, confirmations: 3 }
}

/** The same wallet, with the receipt of a message after its others. */
export function withMessage(world: SimulatedWorld, wallet: SampleWallet) {
  const entropy = sampleEntropy('90', world.signedAt - 5, valueOf(90))
  const minted = mintMessage(world, { scheme: 'eip191', message: '0x49206167726565' }, { entropy })
  const events = [...wallet.events, eventAt(minted, 20)]
  return { ...wallet, events, blocks: { ...wallet.blocks, ...blocksOf(minted) }, minted }
}

/** A node and a gateway that hold a wallet, or what a test puts in their place. */
export function sourcesOf(
  { events, txHashes, releases, blocks }: Pick<SampleWallet, 'events' | 'txHashes' | 'releases' | 'blocks'>,
  options: NodeOptions = {},
): WalletSources & { fetched: string[] } {
  const fetched: string[] = []
  return {
    fetched,
    rpc: nodeOf(events, { releases, sent: txHashes, ...options }),
    fetchCid: async (cid) => {
      fetched.push(cid)
      const bytes = blocks[cid]
      if (bytes === undefined) throw new ServiceError('evidence_missing', 'no gateway has it')
      return bytes
    },
  }
}
