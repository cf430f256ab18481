/** Typed data of an imaginary shop. Its domain names the chain and the contract that the signature is for. */
export const order = {
  domain: { name: 'Shop', version: '1', chainId: 31337, verifyingContract: `0x${'55'.repeat(20)}` },
  types: {
    Order: [
      { name: 'item', type: 'string' },
      { name: 'price', type: 'uint256' },
    ],
  },
  primaryType: 'Order',
  message: { item: 'One ticket', price: 25n },
} as const
