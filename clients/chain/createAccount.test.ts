import { keccak256 } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createAccount } from './createAccount.js'

test('signs the same bytes as viem, of whatever length its parts are', async () => {
  for (let turn = 0; turn < 40; turn++) {
    const key = generatePrivateKey()
    const [account, viem] = [createAccount(key), privateKeyToAccount(key)]
    const transaction = {
      ...{ type: 'eip1559' as const, chainId: 1 + turn * 4_000, nonce: turn * 7, to: viem.address },
      ...{ data: `0x${'ab'.repeat(turn * 9)}` as const, gas: 21_000n + BigInt(turn) ** 5n },
      ...{ maxFeePerGas: 3n ** BigInt(turn), maxPriorityFeePerGas: BigInt(turn) },
    }
    const raw = await viem.signTransaction(transaction)
    expect(account.sign(transaction)).toEqual({ raw, txHash: keccak256(raw) })
    expect(account.sender).toBe(viem.address.toLowerCase())
  }
})
