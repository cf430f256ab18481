import type { Enrolled, EnrolOptions, Hex, PasskeyOptions, WalletOwners } from '../types.js'
import { usableHere } from './askPasskey.js'
import { createPasskey } from './creation/createPasskey.js'
import type { Passkeys } from './open.js'
import { agree, matterOf, nextRecord, readOwners, save } from './record.js'
import { approveByCode, createRecoveryCode } from './recoveryCode.js'
import { PasskeyError } from './PasskeyError.js'

const recoveryKeyOf = ({ owners }: WalletOwners) => owners?.recovery?.publicKey ?? null

/** Adds a passkey. The new one signs, then one of those that are there. */
export async function addDevice(to: Passkeys, { label, signal }: PasskeyOptions = {}): Promise<WalletOwners> {
  const [user, present] = await Promise.all([to.api.me(signal), readOwners(to, signal)])
  const { owners, credentials, address } = present
  const old = usableHere(owners.credentials, credentials, to.site)
  const ids = credentials.map(({ id }) => id)
  const { credential, id } = await createPasskey(to.site, user, ids, signal)
  const next = nextRecord(owners, [...owners.credentials, credential], recoveryKeyOf(present))
  const added = { publicKey: credential.publicKey, id, ...(label && { label }) }
  const change = { address, current: owners, next }
  const passkeys = [await agree(to, change, [added], signal), await agree(to, change, old, signal)]
  const approval = { passkeys, recovery: null }
  return (await save(to, { owners: next, approval, credentials: [added] })).owners
}

/** Removes a passkey. One of those that stay must agree, which shows that it works. */
export async function removeDevice(
  to: Passkeys,
  publicKey: Hex,
  { signal }: PasskeyOptions = {},
): Promise<WalletOwners> {
  const present = await readOwners(to, signal)
  const { owners, credentials, address } = present
  const rest = owners.credentials.filter((one) => one.publicKey !== publicKey)
  if (rest.length === owners.credentials.length) {
    throw new PasskeyError('passkey_unknown', 'This passkey is not one of the wallet’s.')
  }
  if (rest.length === 0) throw new PasskeyError('owners_invalid', 'A wallet keeps at least one passkey.')
  const next = nextRecord(owners, rest, recoveryKeyOf(present))
  const candidates = usableHere(rest, credentials, to.site)
  const approval = await agree(to, { address, current: owners, next }, candidates, signal)
  const change = { owners: next, approval: { passkeys: [approval], recovery: null }, credentials: [] }
  return (await save(to, change)).owners
}

/** Gives the wallet a recovery code; one that it had before then no longer works. */
export async function addRecovery(to: Passkeys, { signal }: PasskeyOptions = {}): Promise<Enrolled> {
  const { owners, credentials, address } = await readOwners(to, signal)
  const { code, publicKey } = await createRecoveryCode()
  const next = nextRecord(owners, owners.credentials, publicKey)
  const candidates = usableHere(owners.credentials, credentials, to.site)
  const approval = await agree(to, { address, current: owners, next }, candidates, signal)
  const change = { owners: next, approval: { passkeys: [approval], recovery: null }, credentials: [] }
  return save(to, change, code)
}

/** With the recovery code: a new passkey takes the place of all earlier ones, and a new code that of the used one. */
export async function recover(to: Passkeys, code: string, options: EnrolOptions = {}): Promise<Enrolled> {
  const { label, recovery = true, signal } = options
  const [user, present] = await Promise.all([to.api.me(signal), readOwners(to, signal)])
  const { owners, address } = present
  const expected = recoveryKeyOf(present)
  if (expected === null) throw new PasskeyError('recovery_code_invalid', 'This wallet has no recovery code.')
  await approveByCode(code, matterOf({ address, current: owners, next: owners }), expected) // before a passkey is made
  const passkey = await createPasskey(to.site, user, [], signal)
  const another = recovery ? await createRecoveryCode() : null
  const next = nextRecord(owners, [passkey.credential], another?.publicKey ?? null)
  const known = { publicKey: passkey.credential.publicKey, id: passkey.id, ...(label && { label }) }
  const change = { address, current: owners, next }
  const passkeys = [await agree(to, change, [known], signal)]
  const approval = { passkeys, recovery: await approveByCode(code, matterOf(change), expected) }
  return save(to, { owners: next, approval, credentials: [known] }, another?.code)
}
