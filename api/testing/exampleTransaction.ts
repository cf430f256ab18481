import type { TxMetadata } from '@perigee/core'

/** One ether to somebody on the local chain. */
export const exampleTransaction: TxMetadata = {
  chainId: 31337,
  nonce: 0,
  to: '0x00000000000000000000000000000000000000aa',
  value: '1000000000000000000',
  data: '0x',
  gas: '21000',
  maxFeePerGas: '2000000000',
  maxPriorityFeePerGas: '1000000000',
}
