const byCode: Record<string, string> = {
  pin_unavailable: 'bring the IPFS nodes back',
  pin_rejected: 'find out why the IPFS nodes refuse: RPC access, token, block size',
  cid_mismatch: 'remove the IPFS node that returns wrong bytes',
  chain_unavailable: 'check CHAIN_RPC_URLS',
  chain_contradiction: 'remove the RPC that lags or lies from CHAIN_RPC_URLS, or add a third',
  chain_mismatch: 'check CHAIN_ID and CHAIN_RPC_URLS',
  publisher_balance_low: 'fund the publishing account',
  publish_reverted: 'make the account a publisher of the contract (npm run ops -- publisher)',
  publish_unconfirmed: 'check fees and nonces (npm run ops -- publisher)',
}

/** What to do about a stuck proof, in a few words; temporal/RUNBOOK.md has more. */
export function adviceFor(status: string, code: string | null): string {
  if (status === 'pending_pin' || status === 'pending_onchain')
    return 'late: check that workers run, and read their log'
  return `${byCode[code ?? ''] ?? 'read the worker’s log'}, then retry`
}
