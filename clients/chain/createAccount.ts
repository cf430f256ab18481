import { signRecoverable } from 'tiny-secp256k1'
import { keccak256, serializeTransaction, type TransactionSerializableEIP1559 } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { fromHex, toHex, type Hex } from '@perigee/core'

/** A publishing key. Signs the same bytes as viem's account does (RFC 6979), by libsecp256k1: a fraction of the CPU. */
export function createAccount(privateKey: Hex) {
  return {
    /** Lower case. */
    sender: privateKeyToAddress(privateKey).toLowerCase() as Hex,

    sign(transaction: TransactionSerializableEIP1559): { raw: Hex; txHash: Hex } {
      const hash = keccak256(serializeTransaction(transaction), 'bytes')
      const { signature, recoveryId } = signRecoverable(hash, fromHex(privateKey, 32))
      if (recoveryId > 1) throw new Error('Ethereum has no form for this signature') // one in 2^127
      const [r, s] = [toHex(signature.subarray(0, 32)), toHex(signature.subarray(32))]
      const raw = serializeTransaction(transaction, { r, s, yParity: recoveryId })
      return { raw, txHash: keccak256(raw) }
    },
  }
}
