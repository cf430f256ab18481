import { randomUUID } from 'node:crypto'
import { keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { ServiceError, type Hex } from '@perigee/core'
import { emptyCalldata, type NewSlot, type NewTransaction } from '../../../database/index.js'
import type { Chain, Fees } from '../createChain.js'

/** A slot that is open from now on. */
export function newSlot(
  place: Pick<NewSlot, 'chainId' | 'sender' | 'nonce'>,
  call: Pick<NewSlot, 'calldata' | 'gas'>,
): NewSlot {
  return { id: randomUUID(), ...place, ...call, state: 'open', costWei: null }
}

/** Signs with the publishing keys and sends. */
export function createTransactionSender(chain: Chain) {
  const { chainId, contract, publisherKeys } = chain.config
  const accounts = new Map(
    publisherKeys.map((key) => {
      const account = privateKeyToAccount(key)
      return [account.address.toLowerCase() as Hex, account]
    }),
  )

  return {
    /** Lower case. */
    senders: [...accounts.keys()],

    /** `to`: the contract that is called. */
    async sign(slot: NewSlot, fees: Fees, to = contract): Promise<NewTransaction> {
      const account = accounts.get(slot.sender)
      if (!account) {
        throw new ServiceError('chain_unavailable', 'the key of an open nonce is not configured', {
          sender: slot.sender,
        })
      }
      const raw = await account.signTransaction({
        type: 'eip1559',
        chainId,
        nonce: slot.nonce,
        to: slot.calldata === emptyCalldata ? slot.sender : to,
        data: slot.calldata,
        gas: BigInt(slot.gas),
        ...fees,
      })
      return {
        txHash: keccak256(raw),
        raw,
        slotId: slot.id,
        maxFeePerGas: String(fees.maxFeePerGas),
        maxPriorityFeePerGas: String(fees.maxPriorityFeePerGas),
      }
    },

    /** Only an account that cannot pay is an error here. Whatever else happens to the transaction, following it shows. */
    async send({ raw }: NewTransaction): Promise<void> {
      const { outcome, message } = await chain.broadcast(raw)
      if (outcome === 'no-funds') {
        throw new ServiceError('publisher_balance_low', `the publishing account cannot pay: ${message ?? ''}`)
      }
    },
  }
}

export type TransactionSender = ReturnType<typeof createTransactionSender>
