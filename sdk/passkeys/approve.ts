import type { Hex, Intent, PasskeyApproval, WalletOwners } from '../types.js'
import { askPasskey, usableHere } from './askPasskey.js'
import type { Passkeys } from './open.js'
import { requireOwners } from './record.js'

/** Prompts for one of the wallet's passkeys, which then agrees to exactly this. */
export async function approve(
  { site }: Passkeys,
  wallet: WalletOwners,
  chainId: number,
  digest: Hex,
  signal?: AbortSignal,
  kind: Intent['kind'] = 'transaction',
): Promise<PasskeyApproval> {
  const { owners, credentials, address, ownersHash } = requireOwners(wallet)
  const candidates = usableHere(owners.credentials, credentials, site)
  return askPasskey(site, { kind, address, ownersHash, chainId, digest }, candidates, signal)
}
