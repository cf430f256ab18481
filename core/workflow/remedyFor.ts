const remedies: Record<string, string> = {
  pin_unavailable: 'bring the IPFS nodes back',
  pin_rejected: 'find out why the IPFS nodes refuse: RPC access, token, block size',
  cid_mismatch: 'an IPFS node returns wrong bytes: remove it from IPFS_API_URLS',
  birth_not_published: 'publish the wallet’s birth first: the message names its proof',
  chain_unavailable: 'check CHAIN_RPC_URLS',
  chain_contradiction: 'remove the RPC that lags or lies from CHAIN_RPC_URLS, or add a third',
  chain_mismatch: 'check CHAIN_ID and CHAIN_RPC_URLS',
  publisher_balance_low: 'fund the publishing account',
  publish_reverted: 'make the account a publisher of the contract (`npm run ops -- publisher`)',
  publish_unconfirmed: 'check fees and nonces (`npm run ops -- publisher`)',
}

/** What an operator does about a publication that failed with this code, before retrying it. */
export function remedyFor(code: string | null): string {
  return remedies[code ?? ''] ?? 'read the worker’s log for this proof'
}
