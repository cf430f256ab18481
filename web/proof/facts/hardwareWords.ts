import type { AnyReceipt } from '@perigee/core/receipt'

/** Which hardware vouches for a signature or a key, in one sentence. */
export function hardwareWords(
  receipt: Pick<AnyReceipt, 'signer' | 'simulated'>,
  did: 'signed' | 'made the key',
): string {
  const { platform, tcbStatus } = receipt.signer
  if (receipt.simulated) return `Simulated. No hardware vouches for this ${did === 'signed' ? 'signature' : 'key'}.`
  return `Intel TDX enclave (${platform}), firmware status ${tcbStatus} when it ${did}; coordinated from an AMD SEV-SNP machine.`
}
