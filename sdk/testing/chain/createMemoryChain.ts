import {
  keccak256,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  toHex,
  type Hex,
  type TransactionSerializedEIP1559,
} from 'viem'
import { matches, publishedLog, type LogFilter } from './publishedLogs.js'

const baseFee = 1_000_000_000n
const transferGas = 21_000n

interface MinedTransaction {
  blockNumber: number
  minedAt: number
  hash: Hex
  from: Hex
  nonce: number
  to: Hex
  value: bigint
  input: Hex
  gas: bigint
}

export type MemoryChain = ReturnType<typeof createMemoryChain>

/** The part of an Ethereum node that a wallet talks to: it checks signatures, nonces and balances, and moves value. */
export function createMemoryChain(chainId: number) {
  const balances = new Map<string, bigint>()
  const nonces = new Map<string, number>()
  const mined = new Map<Hex, MinedTransaction>()

  const balance = (address: string) => balances.get(address.toLowerCase()) ?? 0n
  const setBalance = (address: string, wei: bigint) => void balances.set(address.toLowerCase(), wei)
  const nonceOf = (address: string) => nonces.get(address.toLowerCase()) ?? 0

  /** Validates and mines a signed transaction, one per block. */
  async function send(raw: Hex): Promise<MinedTransaction> {
    const hash = keccak256(raw)
    if (mined.has(hash)) throw new Error('already known')
    const serializedTransaction = raw as TransactionSerializedEIP1559
    const tx = parseTransaction(serializedTransaction)
    const from = (await recoverTransactionAddress({ serializedTransaction })).toLowerCase() as Hex
    const { nonce = 0, to, value = 0n, data = '0x', gas = 0n, maxFeePerGas = 0n } = tx
    if (tx.chainId !== chainId) throw new Error('invalid chain id for signer')
    if (nonce < nonceOf(from)) throw new Error('nonce too low')
    if (nonce > nonceOf(from)) throw new Error('nonce too high')
    if (gas < gasFor(data)) throw new Error('intrinsic gas too low')
    if (maxFeePerGas < baseFee) throw new Error('max fee per gas less than block base fee')
    if (balance(from) < value + gas * maxFeePerGas) throw new Error('insufficient funds for gas * price + value')
    setBalance(from, balance(from) - value - gasFor(data) * baseFee)
    setBalance(to as Hex, balance(to as Hex) + value)
    nonces.set(from, nonce + 1)
    const minedAt = Math.floor(Date.now() / 1000)
    const entry = { blockNumber: mined.size + 1, minedAt, hash, from, nonce, to: to as Hex, value, input: data, gas }
    mined.set(hash, entry)
    return entry
  }

  /** One JSON-RPC call. Throws an Error whose message is what a node would say. */
  async function call(method: string, params: readonly unknown[]): Promise<unknown> {
    const [first, second] = params as [never, never]
    switch (method) {
      case 'eth_chainId':
        return numberToHex(chainId)
      case 'eth_blockNumber':
        return numberToHex(mined.size)
      case 'eth_getBalance':
        return numberToHex(balance(first))
      case 'eth_getTransactionCount':
        return numberToHex(nonceOf(first))
      case 'eth_maxPriorityFeePerGas':
      case 'eth_gasPrice':
        return numberToHex(baseFee)
      case 'eth_estimateGas':
        return numberToHex(gasFor((first as { data?: Hex }).data ?? '0x'))
      case 'eth_getBlockByNumber':
        return block(mined, first)
      case 'eth_getLogs':
        return logs([...mined.values()], first)
      case 'eth_sendRawTransaction':
        return (await send(first)).hash
      case 'eth_getTransactionByHash':
        return mined.has(first) ? describe(mined.get(first) as MinedTransaction) : null
      case 'eth_getTransactionReceipt':
        return mined.has(first) ? receipt(mined.get(first) as MinedTransaction) : null
      case 'anvil_nodeInfo':
        return { currentBlockNumber: numberToHex(mined.size) }
      case 'anvil_setBalance':
        return setBalance(first, BigInt(second)) ?? null
      default:
        throw new Error(`the method ${method} does not exist/is not available`)
    }
  }

  return { call, send, setBalance, balance }
}

function gasFor(data: Hex): bigint {
  return transferGas + BigInt((data.length - 2) / 2) * 16n
}

function block(mined: Map<Hex, MinedTransaction>, tag: string) {
  const number = tag.startsWith('0x') ? Number(tag) : mined.size
  const entry = [...mined.values()][number - 1]
  const numbers = { number: numberToHex(number), timestamp: numberToHex(entry?.minedAt ?? 0) }
  return { ...numbers, hash: hashOf(number), baseFeePerGas: numberToHex(baseFee), transactions: [] }
}

function logs(mined: readonly MinedTransaction[], filter: LogFilter) {
  return mined.flatMap(({ to, input, hash, blockNumber }) => {
    const log = publishedLog(to, input)
    if (!log || !matches(log, blockNumber, filter)) return []
    const place = { blockNumber: numberToHex(blockNumber), blockHash: hashOf(blockNumber), transactionHash: hash }
    return [{ ...log, ...place, transactionIndex: '0x0', logIndex: '0x0', removed: false }]
  })
}

function describe(tx: MinedTransaction) {
  const { hash, from, to, input, blockNumber } = tx
  const numbers = { nonce: numberToHex(tx.nonce), value: numberToHex(tx.value), gas: numberToHex(tx.gas) }
  return { hash, from, to, input, ...numbers, blockNumber: numberToHex(blockNumber), blockHash: hashOf(blockNumber) }
}

function receipt(tx: MinedTransaction) {
  const used = { gasUsed: numberToHex(gasFor(tx.input)), effectiveGasPrice: numberToHex(baseFee), logs: [] }
  const { hash, from, to, blockNumber } = tx
  const place = { blockNumber: numberToHex(blockNumber), blockHash: hashOf(blockNumber), transactionIndex: '0x0' }
  return { transactionHash: hash, from, to, status: '0x1', type: '0x2', contractAddress: null, ...place, ...used }
}

function hashOf(blockNumber: number): Hex {
  return keccak256(toHex(`block ${blockNumber}`))
}
