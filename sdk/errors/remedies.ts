const remedies: Record<string, string> = {
  network_error: 'Check the connection, that the service runs, and that it allows this origin.',
  timeout: 'Try again; asking twice is safe.',
  aborted: 'Nothing to do unless the message says a transaction may be signed.',
  bad_response: 'Check that apiBaseUrl names the service.',
  not_signed_in: 'Sign in.',
  origin_not_allowed: "Add this origin to the service's allow-list.",
  rate_limited: 'Wait a moment, then try again.',
  share_exceeded: 'Wait until the share is free again: retryAfterMs says when.',
  wallet_not_ready: 'Sign in and wait until wallet is set.',
  account_changed: 'Refresh to see who is signed in, then try again.',
  wallet_not_found: 'Provision a wallet first.',
  proof_not_found: 'Check the link: no proof has this name.',
  transaction_invalid: 'Check recipient, amount, data and gas.',
  digest_mismatch: 'Update the SDK: it and the service disagree about this transaction.',
  chain_not_allowed: 'Use a chain this service signs for.',
  collateral_stale: 'Try again later: the service cannot rule out revoked hardware now.',
  rpc_url_required: 'Set rpcUrl in the configuration.',
  rpc_error: 'Check that rpcUrl answers and is on the configured chain.',
  insufficient_funds: 'Fund the wallet, or send less.',
  gas_too_low: "Raise gas, or pass gas: 'estimate'.",
  broadcast_failed: 'Send again: that uses the same nonce, so at most one of the two is mined.',
  proof_timeout: 'Publishing continues; look again later.',
  authorisation_required: 'Approve with a passkey; call enrol if there is none.',
  authorisation_expired: "Try again, and check this device's clock.",
  authorisation_invalid: "Try again, and check this device's clock.",
  owners_changed: 'Refresh, then try again.',
}

/** One sentence for a person. Unknown codes get advice by status. */
export function remedyFor(code: string, status: number | null): string {
  if (Object.hasOwn(remedies, code)) return remedies[code] as string
  if (/^(?:message|typed_data|sign_in)_/.test(code)) return 'Correct what is to be signed.'
  if (status !== null && status >= 500) return 'Try again in a moment.'
  return 'See the message; if it does not help, report the request id.'
}
