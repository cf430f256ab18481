import { hashOf, ownersHash, verifyOwnersApproval } from '@perigee/core/authorisation'
import { encodeChangeOwnersBinding } from '@perigee/core/binding'
import { parseChangeOwnersRequest, type ChangeOwnersAnswer } from '@perigee/core/enclave'
import { resealKey, sealedKeyHash, type KeyName } from '../keys/sealing.js'
import { prove } from '../platforms/Platform.js'
import type { OperationDeps } from './OperationDeps.js'

/**
 * The operation that seals a key for other owners. The enclave keeps no state, so the key as it was sealed before still
 * opens for the owners of then. A wallet that had none can therefore be used without an approval by anyone who kept its
 * old sealed key and can have a statement made: its receipts say `since: upgrade` for good.
 */
export function changeOwnersOperation({ platform, admission, verifyAsker, now }: OperationDeps) {
  return async function changeOwners(body: unknown): Promise<ChangeOwnersAnswer> {
    const request = parseChangeOwnersRequest(body)
    const { keyId, address, owners, since, next, approval, nonce, statement } = request
    const nextOwnersHash = ownersHash(next)
    const coordinatorReportHash = await verifyAsker(request, {
      kind: 'change-owners',
      address,
      digest: nextOwnersHash,
      chainId: 0,
      authorisationHash: hashOf(approval),
    })
    await verifyOwnersApproval(approval, { address, current: owners, next }, now())
    admission.admitNonce(nonce, now())
    const name: KeyName = { keyId, address, subject: statement.subject, ownersHash: ownersHash(owners), since }
    const nextName: KeyName = { ...name, ownersHash: nextOwnersHash, since: since ?? 'upgrade' }
    const { publicKey, sealedKey } = resealKey(platform.sealingKeys, request.sealedKey, name, nextName)
    const changedAt = now()
    const binding = encodeChangeOwnersBinding({
      keyId,
      publicKey,
      ownersHash: name.ownersHash,
      nextOwnersHash,
      sealedKeyHash: sealedKeyHash(sealedKey),
      nonce,
      coordinatorReportHash,
      authorisationHash: hashOf({ statement, approval }),
      changedAt,
    })
    return { publicKey, sealedKey, changedAt, ...(await prove(platform, binding)) }
  }
}
