import { createHash } from 'node:crypto'
import { fromHex, toHex, type Hex } from '@perigee/core'
import { hashOf, ownersHash, zero32 } from '@perigee/core/authorisation'
import { encodeResealBinding, reportData } from '@perigee/core/binding'
import { parseResealKeyRequest, type ResealKeyAnswer } from '@perigee/core/enclave'
import type { OperationDeps } from './OperationDeps.js'
import { openKey, sealKey, type KeyName } from '../keys/sealing.js'

/**
 * The operation that seals a key under the current version of the sealing key: the same key under the same name, so the same
 * person and owners. It needs no owner's approval, because it changes nothing about who can use the key.
 */
export function resealKeyOperation({ platform, admission, verifyAsker, now }: OperationDeps) {
  return async function resealKey(body: unknown): Promise<ResealKeyAnswer> {
    const request = parseResealKeyRequest(body)
    const { keyId, address, owners, since, nonce, statement } = request
    const sealedKeyHash = sha256Of(request.sealedKey)
    const coordinatorReportHash = await verifyAsker(request, {
      kind: 'reseal-key',
      address,
      digest: sealedKeyHash,
      chainId: 0,
      authorisationHash: zero32,
    })
    admission.admitNonce(nonce, now())
    const name: KeyName = { keyId, address, subject: statement.subject, ownersHash: ownersHash(owners), since }
    const { sealingKeys } = platform
    const key = openKey(sealingKeys, name, request.sealedKey)
    const { publicKey } = key
    let sealedKey: Hex
    try {
      sealedKey = sealKey(sealingKeys, name, key.privateKey, publicKey)
    } finally {
      key.wipe()
    }
    const resealedAt = now()
    const binding = encodeResealBinding({
      keyId,
      publicKey,
      sealedKeyHash,
      nextSealedKeyHash: sha256Of(sealedKey),
      sealingVersion: sealingKeys.current,
      ownersHash: name.ownersHash,
      nonce,
      coordinatorReportHash,
      authorisationHash: hashOf({ statement }),
      resealedAt,
    })
    const evidence = await platform.quote(fromHex(reportData(binding)))
    const { current: sealingVersion } = sealingKeys
    return { publicKey, sealedKey, sealingVersion, resealedAt, platform: platform.name, ...evidence }
  }
}

const sha256Of = (bytes: Hex): Hex => toHex(createHash('sha256').update(fromHex(bytes)).digest())
