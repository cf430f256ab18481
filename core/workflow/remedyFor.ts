export interface Remedy {
  /** What an operator does first. */
  first: string
  /** What then ends the failure. */
  then: 'retry' | 'abandon'
}

const retryAfter = (first: string): Remedy => ({ first, then: 'retry' })
const platformRefused: Remedy = {
  first:
    'tell the wallet’s owner: the platform that signed was revoked or fell behind, and readers would refuse the receipt',
  then: 'abandon',
}

/** The short form of the table in temporal/RUNBOOK.md. */
export const remedies: Record<string, Remedy> = {
  worker_unavailable: retryAfter('start workers of the queue that the error names (`WORKER_QUEUES`)'),
  pin_unavailable: retryAfter('bring the IPFS nodes back'),
  pin_rejected: retryAfter('find out why the IPFS nodes refuse: RPC access, token, block size'),
  cid_mismatch: retryAfter('an IPFS node returns wrong bytes: remove it from IPFS_API_URLS'),
  cert_revoked: platformRefused,
  tcb_revoked: platformRefused,
  tcb_not_allowed: platformRefused,
  collateral_stale: retryAfter('check PCCS_URL: its newest collateral is too old'),
  collateral_unavailable: retryAfter('check PCCS_URL: it gives no collateral'),
  birth_not_published: retryAfter('publish the wallet’s birth: the message names its proof'),
  chain_unavailable: retryAfter('check CHAIN_RPC_URLS'),
  chain_contradiction: retryAfter('remove the RPC that lags or lies from CHAIN_RPC_URLS, or add a third'),
  chain_mismatch: retryAfter('check CHAIN_ID and CHAIN_RPC_URLS'),
  publisher_balance_low: retryAfter('fund the publishing account'),
  publish_reverted: retryAfter(
    'check CONTRACT_ADDRESS and that the account is a publisher (`npm run ops -- publisher`)',
  ),
  publish_unconfirmed: retryAfter('check fees and nonces (`npm run ops -- publisher`)'),
}

const unknown = retryAfter('read the worker’s log for this proof')

/** What an operator does about a publication that failed with this code. */
export function remedyFor(code: string | null): Remedy {
  return (code !== null && Object.hasOwn(remedies, code) && remedies[code]) || unknown
}
