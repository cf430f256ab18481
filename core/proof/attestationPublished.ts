/** The contract's event: it leads from a signed transaction to its receipt. A test compares it with `contracts/abi`. */
export const attestationPublished = {
  type: 'event',
  name: 'AttestationPublished',
  inputs: [
    { name: 'wallet', type: 'address', indexed: true },
    { name: 'txHash', type: 'bytes32', indexed: true },
    { name: 'ipfsCid', type: 'string', indexed: false },
  ],
} as const
