import { createHash } from 'node:crypto'
import { fromHex, toHex, type Hex } from '@perigee/core'
import { hashOf, ownersHash, verifyOwnersApproval } from '@perigee/core/authorisation'
import { encodeChangeOwnersBinding, reportData } from '@perigee/core/binding'
import { parseChangeOwnersRequest, type ChangeOwnersAnswer } from '@perigee/core/enclave'
import type { OperationDeps } from './OperationDeps.js'
import type { Platform } from '../platforms/Platform.js'
import { openKey, sealKey, type KeyName } from '../keys/sealing.js'

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
    const { publicKey, sealedKey } = reseal(platform, request.sealedKey, name, nextName)
    const changedAt = now()
    const binding = encodeChangeOwnersBinding({
      keyId,
      publicKey,
      ownersHash: name.ownersHash,
      nextOwnersHash,
      sealedKeyHash: toHex(createHash('sha256').update(fromHex(sealedKey)).digest()),
      nonce,
      coordinatorReportHash,
      authorisationHash: hashOf({ statement, approval }),
      changedAt,
    })
    const evidence = await platform.quote(fromHex(reportData(binding)))
    return { publicKey, sealedKey, changedAt, platform: platform.name, ...evidence }
  }
}

function reseal({ sealingKeys }: Platform, sealedKey: Hex, name: KeyName, nextName: KeyName) {
  const key = openKey(sealingKeys, name, sealedKey)
  try {
    const { publicKey } = key
    return { publicKey, sealedKey: sealKey(sealingKeys, nextName, key.privateKey, publicKey) }
  } finally {
    key.wipe()
  }
}
