import { zeroAddress } from 'viem'
import type { Enrolled, EnrolOptions, OwnersChange, WalletOwners } from '../types.js'
import type { ServiceError } from '../errors/ServiceError.js'
import { createPasskey } from './creation/createPasskey.js'
import type { Passkeys } from './open.js'
import { agree, nextRecord, save } from './record.js'
import { createRecoveryCode } from './recoveryCode.js'
import { PasskeyError } from './PasskeyError.js'

/**
 * Makes a passkey and, with it, the wallet. A wallet that was there without owners is claimed instead: where a passkey is
 * required only with `claim`, because anyone's link to the sign-in can have made it, and it stays the weaker kind.
 */
export async function enrol(to: Passkeys, options: EnrolOptions = {}): Promise<Enrolled> {
  const { label, recovery = true, claim = to.mode !== 'required', signal } = options
  const [user, present] = await Promise.all([to.api.me(signal), ownersIfAny(to, signal)])
  if (present?.owners) throw new PasskeyError('owners_changed', 'This wallet has owners already: use addDevice.')
  if (present && !claim) throw new PasskeyError('wallet_exists', 'There is a wallet already, made without a passkey.')
  const passkey = await createPasskey(to.site, user, [], signal)
  const code = recovery ? await createRecoveryCode() : null
  const next = nextRecord(null, [passkey.credential], code?.publicKey ?? null)
  const known = { publicKey: passkey.credential.publicKey, id: passkey.id, ...(label && { label }) }
  const approval = await agree(to, { address: present?.address ?? zeroAddress, current: null, next }, [known], signal)
  const change = { owners: next, approval: { passkeys: [approval], recovery: null }, credentials: [known] }
  return save(to, change, code?.code, present ? undefined : () => provision(to, change, signal))
}

async function provision({ api }: Passkeys, change: OwnersChange, signal?: AbortSignal): Promise<WalletOwners> {
  await api.provisionWallet(signal, change)
  return api.getOwners(signal)
}

async function ownersIfAny({ api }: Passkeys, signal?: AbortSignal): Promise<WalletOwners | null> {
  try {
    return await api.getOwners(signal)
  } catch (error) {
    if ((error as ServiceError).code === 'wallet_not_found') return null
    throw error
  }
}
