import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { mapHashToField } from '@noble/curves/abstract/modular'
import { secp256k1 } from '@noble/curves/secp256k1'
import { encodeCreateKeyBinding, fromHex, reportData, toHex, type Hex, type UnixSeconds } from '@perigee/core'
import { keyIdOf, parseCreateKeyRequest, type CreateKeyAnswer } from '@perigee/core/enclave'
import { publicKeyToAddress } from 'viem/accounts'
import type { Admission } from './admission.js'
import type { Platform } from './platform.js'
import { sealKey } from './sealing.js'

type NewKey = Pick<CreateKeyAnswer, 'keyId' | 'publicKey' | 'address' | 'sealedKey' | 'createdAt'>

export interface CreateKeyDeps {
  platform: Platform
  admission: Admission
  now(): UnixSeconds
}

/** The operation that makes keys: admit the request, make and seal the key, and prove it with a quote. */
export function createKeyOperation({ platform, admission, now }: CreateKeyDeps) {
  const made = admission.window<NewKey>()
  return async function createKey(body: unknown): Promise<CreateKeyAnswer> {
    const request = parseCreateKeyRequest(body)
    const { sample, entropyHash } = await admission.admit(request.entropy, request.nonce, 'create key', now())
    let key = made.get(sample.value, now()) // a retry: one sample makes one key, and only the quote is new
    if (!key) made.set(sample.value, (key = makeKey(fromHex(sample.value, 32), platform, now())), now())
    const evidence = await platform.quote(
      fromHex(
        reportData(
          encodeCreateKeyBinding({
            keyId: key.keyId,
            publicKey: key.publicKey,
            sealedKeyHash: toHex(createHash('sha256').update(fromHex(key.sealedKey)).digest()),
            nonce: request.nonce,
            coordinatorReportHash: request.coordinatorReportHash,
            entropyHash,
            createdAt: key.createdAt,
          }),
        ),
      ),
    )
    return { ...key, platform: platform.name, ...evidence }
  }
}

/**
 * The platform's randomness alone makes the key secret: the sample is public. Mixing it in (RFC 5869, as the salt)
 * means that a broken platform generator and a known sample are both needed before a key can be guessed.
 */
function makeKey(sample: Uint8Array, platform: Platform, createdAt: UnixSeconds): NewKey {
  const random = randomBytes(32)
  // 48 bytes before the reduction, so that no scalar is noticeably likelier (FIPS 186-5, A.2.1).
  const wide = new Uint8Array(hkdfSync('sha256', random, sample, 'perigee.key.v1', 48))
  const privateKey = mapHashToField(wide, secp256k1.CURVE.n)
  try {
    const point = secp256k1.getPublicKey(privateKey, false)
    const publicKey = toHex(Uint8Array.of(2 + ((point[64] as number) & 1), ...point.subarray(1, 33))) // SEC 1, 2.3.3
    const address = publicKeyToAddress(toHex(point)).toLowerCase() as Hex
    const keyId = keyIdOf(publicKey)
    return { keyId, publicKey, address, sealedKey: sealKey(platform.sealingKey, { keyId, address }, privateKey, publicKey), createdAt } // prettier-ignore
  } finally {
    for (const secret of [random, wide, privateKey]) secret.fill(0)
  }
}
