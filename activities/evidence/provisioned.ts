import type { ProvisionedWallet } from '@perigee/core/workflow'
import type { KnownWallet } from '../../database/index.js'

/** What `provisionWallet` needs to know about a recorded wallet: whose publication it starts, unless that is complete. */
export function provisioned({ id, address, birth }: KnownWallet): ProvisionedWallet {
  const { slug, txHash, chainId, status } = birth
  return {
    walletId: id,
    address,
    birth: status === 'complete' ? null : { kind: 'birth', slug, txHash, wallet: address, chainId },
  }
}
