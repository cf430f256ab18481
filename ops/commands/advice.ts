const byCode: Record<string, string> = {
  pin_unavailable: 'bring the IPFS nodes back',
  pin_rejected: 'see why the IPFS nodes refuse: rights to the RPC, token, size',
  cid_mismatch: 'an IPFS node answers with wrong bytes: take it out',
  chain_unavailable: 'check CHAIN_RPC_URLS',
  chain_contradiction: 'take the RPC that lags or lies out of CHAIN_RPC_URLS, or add a third',
  chain_mismatch: 'check CHAIN_ID and CHAIN_RPC_URLS',
  publisher_balance_low: 'fund the publishing account',
  publish_reverted: 'make the account a publisher of the contract (npm run ops -- publisher)',
  publish_unconfirmed: 'look at fees and nonces: npm run ops -- publisher',
}

/** What to do about a failed proof, in a few words; temporal/RUNBOOK.md has more. */
export function adviceFor(status: string, code: string | null): string {
  if (status === 'pending_pin' || status === 'pending_onchain') return 'it is late: do workers run? read their log'
  return `${byCode[code ?? ''] ?? 'read the worker’s log'}, then retry`
}
