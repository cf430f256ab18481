import { parseAbiItem } from 'viem'

/** The contract's event: from a transaction to its receipt. */
export const published = parseAbiItem(
  'event AttestationPublished(address indexed wallet, bytes32 indexed txHash, string ipfsCid)',
)
