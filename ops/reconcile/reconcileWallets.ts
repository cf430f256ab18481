import { isAddressEqual, TransactionReceiptNotFoundError, type PublicClient } from 'viem'
import type { Hex } from '@perigee/core'
import type { Rpcs } from '../../clients/chain/rpc/createRpcs.js'
import { inParallel } from '../../clients/concurrency/inParallel.js'
import { findSignedChains, findSignedNonces, walkWallets, type SignedNonce } from '../../database/index.js'
import type { Reconciliation, Report } from './createReport.js'

const parallel = 8
const noncesPerQuery = 500

/**
 * Checks that every wallet has a birth, and every transaction of every wallet a receipt. A wallet's key never leaves the enclave, so a used nonce
 * without a record means that a signature has no receipt, or that someone else has the key.
 */
export async function reconcileWallets({ database, rpcsOf, report }: Reconciliation): Promise<void> {
  for (const chainId of await findSignedChains(database)) {
    if (!rpcsOf.has(chainId)) {
      report.couldNotCheck(`wallets on chain ${chainId}`, 'no RPC: add one to WALLET_RPC_URLS')
    }
  }
  for await (const wallets of walkWallets(database)) {
    for (const { address, hasBirth } of wallets) {
      if (!hasBirth) report.mismatch('wallet_without_birth', address, 'no record of how its key was made')
    }
    const pairs = wallets.flatMap((wallet) => [...rpcsOf].map(([chainId, rpcs]) => ({ wallet, chainId, rpcs })))
    await inParallel(parallel, pairs, async ({ wallet, chainId, rpcs }) => {
      report.count('wallets')
      const used = await rpcs.first((client) => client.getTransactionCount({ address: wallet.address }))
      for (let from = 0; from < used; from += noncesPerQuery) {
        const limit = Math.min(noncesPerQuery, used - from)
        const signed = await findSignedNonces(database, { walletId: wallet.id, chainId, from, limit })
        for (let nonce = from; nonce < from + limit; nonce++) {
          const candidates = signed.filter((one) => one.nonce === nonce)
          await checkNonce({ address: wallet.address, chainId, nonce, candidates, rpcs, report })
        }
      }
    })
  }
}

interface UsedNonce {
  address: Hex
  chainId: number
  nonce: number
  /** Our signatures for this nonce; several when one replaced another. */
  candidates: SignedNonce[]
  rpcs: Rpcs
  report: Report
}

async function checkNonce({ address, chainId, nonce, candidates, rpcs, report }: UsedNonce): Promise<void> {
  report.count('walletNonces')
  for (const { txHash, slug, status } of candidates) {
    if (!(await rpcs.first((client) => isMined(client, txHash)))) continue
    const message = 'its transaction is on the chain, its receipt is not public'
    if (status === 'pin_failed')
      report.mismatch('mined_without_receipt', slug, message, { address, chainId, nonce, txHash })
    return
  }
  const txHash = await rpcs.first((client) => findByNonce(client, address, nonce))
  const message = `a transaction of the wallet (chain ${chainId}, nonce ${nonce}) was not signed by Perigee, or its record is gone`
  report.mismatch('transaction_without_receipt', address, message, { chainId, nonce, ...(txHash && { txHash }) })
}

async function isMined(client: PublicClient, hash: Hex): Promise<boolean> {
  try {
    await client.getTransactionReceipt({ hash })
    return true
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return false
    throw error
  }
}

/** Finds the transaction that used a nonce by bisecting the chain; null when the node keeps no old state. */
async function findByNonce(client: PublicClient, address: Hex, nonce: number): Promise<Hex | null> {
  try {
    let [low, high] = [0n, await client.getBlockNumber()]
    while (low < high) {
      const middle = (low + high) / 2n
      if ((await client.getTransactionCount({ address, blockNumber: middle })) > nonce) high = middle
      else low = middle + 1n
    }
    const { transactions } = await client.getBlock({ blockNumber: low, includeTransactions: true })
    return transactions.find((one) => isAddressEqual(one.from, address) && one.nonce === nonce)?.hash ?? null
  } catch {
    return null // the report names the nonce
  }
}
