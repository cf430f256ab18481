import {
  BaseError,
  BlockNotFoundError,
  createPublicClient,
  encodeFunctionData,
  fallback,
  getAbiItem,
  http,
  isAddressEqual,
  parseEventLogs,
  TransactionReceiptNotFoundError,
  type TransactionReceipt,
} from 'viem'
import { ServiceError, type Hex } from '@perigee/core'
import { serviceAttestationsAbi } from '../../../contracts/abi/ServiceAttestations.js'
import type { OnchainPlace, WaitingProof } from '../../../database/index.js'
import { broadcastTo } from './broadcastTo.js'
import type { ChainConfig } from './ChainConfig.js'

const requestTimeoutMs = 8_000
const publishedEvent = getAbiItem({ abi: serviceAttestationsAbi, name: 'AttestationPublished' })

/** The chain as the publisher sees it. What cannot be asked is `chain_unavailable`; nothing here holds a key. */
export function createChain(config: ChainConfig) {
  const { contract } = config
  const transports = config.rpcUrls.map((url) => http(url, { timeout: requestTimeoutMs, retryCount: 0 }))
  const client = createPublicClient({ transport: fallback(transports, { retryCount: 1 }), cacheTime: 0 })
  let checked = false

  /** Asks only after the chain has said that it is the configured one: the right event on the wrong chain proves nothing. */
  async function ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      if (!checked) {
        const found = await client.getChainId()
        if (found !== config.chainId) {
          throw new ServiceError('chain_mismatch', 'the RPC serves another chain than CHAIN_ID', {
            expected: config.chainId,
            found,
          })
        }
        checked = true
      }
      return await question()
    } catch (error) {
      if (error instanceof ServiceError) throw error
      throw new ServiceError('chain_unavailable', 'no RPC answered', {}, error)
    }
  }

  /** True when the chain, as it is now, has this very block. */
  function hasBlock(blockNumber: bigint, blockHash: Hex): Promise<boolean> {
    return ask(async () => {
      try {
        return (await client.getBlock({ blockNumber })).hash === blockHash
      } catch (error) {
        if (error instanceof BlockNotFoundError) return false
        throw error
      }
    })
  }

  return {
    config,
    /** Transactions of this account that are in blocks, now or as of a block. */
    minedCount: (sender: Hex, blockNumber?: bigint) =>
      ask(() => client.getTransactionCount({ address: sender, ...(blockNumber !== undefined && { blockNumber }) })),
    balance: (sender: Hex) => ask(() => client.getBalance({ address: sender })),
    head: () => ask(() => client.getBlockNumber()),

    async fees(): Promise<{ maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }> {
      const { baseFeePerGas } = await ask(() => client.getBlock())
      const tip = await ask(() => client.estimateMaxPriorityFeePerGas())
      // Twice the base fee stays valid through six full blocks in a row (each may raise it by an eighth).
      return { maxFeePerGas: 2n * (baseFeePerGas ?? 0n) + tip, maxPriorityFeePerGas: tip }
    },

    /** Gas for the call, tried out first: a call that would revert throws `publish_reverted` and costs no nonce. */
    async estimateGas(sender: Hex, data: Hex): Promise<bigint> {
      return ask(async () => {
        try {
          return ((await client.estimateGas({ account: sender, to: contract, data })) * 12n) / 10n
        } catch (error) {
          if (isRevert(error)) {
            throw new ServiceError('publish_reverted', 'the contract refuses the call', { contract, sender }, error)
          }
          throw error
        }
      })
    },

    broadcast: (raw: Hex) => broadcastTo(config.rpcUrls, raw, requestTimeoutMs),

    /** The receipt of whichever of these transactions is in a block, if one is. */
    async findMined(hashes: readonly Hex[]): Promise<TransactionReceipt | null> {
      for (const hash of hashes) {
        const receipt = await ask(async () => {
          try {
            return await client.getTransactionReceipt({ hash })
          } catch (error) {
            if (error instanceof TransactionReceiptNotFoundError) return null
            throw error
          }
        })
        if (receipt) return receipt
      }
      return null
    },

    hasBlock,

    /** True when the block is deep enough and still on the chain: a reorganisation may have taken it away. */
    async isFinal(blockNumber: bigint, blockHash: Hex): Promise<boolean> {
      const head = await ask(() => client.getBlockNumber())
      return head + 1n - blockNumber >= BigInt(config.confirmations) && hasBlock(blockNumber, blockHash)
    },

    /** Where the contract has already said it, if it has. Asked before a proof gets a nonce: never two events for one. */
    async findEvent({ wallet, txHash, cid }: WaitingProof): Promise<OnchainPlace | null> {
      const logs = await ask(() =>
        client.getLogs({
          address: contract,
          event: publishedEvent,
          args: { wallet, txHash },
          fromBlock: BigInt(config.contractBlock),
          toBlock: 'latest',
        }),
      )
      const log = logs.find(({ args }) => args.ipfsCid === cid)
      return log ? place(log) : null
    },

    /** The event for this proof inside a mined transaction. */
    eventIn(receipt: TransactionReceipt, { wallet, txHash, cid }: WaitingProof): OnchainPlace | null {
      const logs = parseEventLogs({ abi: [publishedEvent], logs: receipt.logs })
      const log = logs.find(
        ({ address, args }) =>
          isAddressEqual(address, contract) &&
          isAddressEqual(args.wallet, wallet) &&
          args.txHash === txHash &&
          args.ipfsCid === cid,
      )
      return log ? place(log) : null
    },
  }
}

export type Chain = ReturnType<typeof createChain>

/** One proof: `publish`. Several: `publishBatch`, a fraction of the gas each. */
export function publishCalldata(proofs: readonly WaitingProof[]): Hex {
  const [first] = proofs
  if (proofs.length === 1 && first) {
    return encodeFunctionData({
      abi: serviceAttestationsAbi,
      functionName: 'publish',
      args: [first.wallet, first.txHash, first.cid],
    })
  }
  return encodeFunctionData({
    abi: serviceAttestationsAbi,
    functionName: 'publishBatch',
    args: [proofs.map(({ wallet, txHash, cid }) => ({ wallet, txHash, ipfsCid: cid }))],
  })
}

function place(log: { transactionHash: Hex; blockNumber: bigint; blockHash: Hex }): OnchainPlace {
  return {
    onchainTxHash: log.transactionHash,
    onchainBlockNumber: Number(log.blockNumber),
    onchainBlockHash: log.blockHash,
  }
}

function isRevert(error: unknown): boolean {
  return (
    error instanceof BaseError && error.walk((e) => /revert/i.test((e as Error).name + (e as Error).message)) !== null
  )
}
