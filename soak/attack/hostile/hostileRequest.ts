import { randomBytes } from 'node:crypto'
import { transactionDigest } from '@perigee/core'
import { newTransaction } from '../../../enclave/testing/createTestWorld.js'
import { newMessage, type Asked } from '../../load/createUser.js'

/** Something new to sign that its wallet can pay for. A transaction of this kind is never sent. */
export function hostileRequest(kind: Asked['kind'], chainId: number): Asked {
  if (kind === 'message') return newMessage(`hostile ${randomBytes(8).toString('hex')}`)
  const value = String(BigInt(`0x${randomBytes(6).toString('hex')}`))
  const txMetadata = newTransaction({ chainId, nonce: 0, value, maxFeePerGas: '20000000000' })
  return { kind, txMetadata, hash: transactionDigest(txMetadata) }
}
