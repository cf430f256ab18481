import { hashOf, ownersHash, zero32 } from '@perigee/core/authorisation'
import { encodeResealBinding } from '@perigee/core/binding'
import { parseResealKeyRequest, type ResealKeyAnswer } from '@perigee/core/enclave'
import { resealKey, sealedKeyHash, type KeyName } from '../keys/sealing.js'
import { prove } from '../platforms/Platform.js'
import type { OperationDeps } from './OperationDeps.js'

/**
 * The operation that seals a key under the current version of the sealing key: the same key under the same name, so the same
 * person and owners. It needs no owner's approval, because it changes nothing about who can use the key.
 */
export function resealKeyOperation({ platform, admission, verifyAsker, now }: OperationDeps) {
  return async function reseal(body: unknown): Promise<ResealKeyAnswer> {
    const request = parseResealKeyRequest(body)
    const { keyId, address, owners, since, nonce, statement } = request
    const hashBefore = sealedKeyHash(request.sealedKey)
    const coordinatorReportHash = await verifyAsker(request, {
      kind: 'reseal-key',
      address,
      digest: hashBefore,
      chainId: 0,
      authorisationHash: zero32,
    })
    admission.admitNonce(nonce, now())
    const name: KeyName = { keyId, address, subject: statement.subject, ownersHash: ownersHash(owners), since }
    const { sealingKeys } = platform
    const { publicKey, sealedKey } = resealKey(sealingKeys, request.sealedKey, name, name)
    const { current: sealingVersion } = sealingKeys
    const resealedAt = now()
    const binding = encodeResealBinding({
      keyId,
      publicKey,
      sealedKeyHash: hashBefore,
      nextSealedKeyHash: sealedKeyHash(sealedKey),
      sealingVersion,
      ownersHash: name.ownersHash,
      nonce,
      coordinatorReportHash,
      authorisationHash: hashOf({ statement }),
      resealedAt,
    })
    return { publicKey, sealedKey, sealingVersion, resealedAt, ...(await prove(platform, binding)) }
  }
}
