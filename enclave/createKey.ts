import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { mapHashToField } from '@noble/curves/abstract/modular'
import { secp256k1 } from '@noble/curves/secp256k1'
import { fromHex, toHex, type Hex, type UnixSeconds } from '@perigee/core'
import { hashOf, ownersHash, zero32, zeroAddress } from '@perigee/core/authorisation'
import { encodeCreateKeyBinding, reportData } from '@perigee/core/binding'
import { keyIdOf, parseCreateKeyRequest, type CreateKeyAnswer } from '@perigee/core/enclave'
import { publicKeyToAddress } from 'viem/accounts'
import type { OperationDeps } from './OperationDeps.js'
import { requireFirstOwners } from './owners.js'
import type { Platform } from './platforms/Platform.js'
import { sealKey, type KeyName } from './sealing.js'

type NewKey = Pick<CreateKeyAnswer, 'keyId' | 'publicKey' | 'address' | 'sealedKey' | 'createdAt'>

/** The operation that makes keys: verify who asks and who will own it, admit the request, make and seal the key, prove it. */
export function createKeyOperation({ platform, admission, verifyAsker, now }: OperationDeps) {
  const made = admission.window<NewKey>()
  return async function createKey(body: unknown): Promise<CreateKeyAnswer> {
    const request = parseCreateKeyRequest(body)
    const { statement, owners, approval, nonce } = request
    const { subject } = statement
    const digest = ownersHash(owners)
    const coordinatorReportHash = await verifyAsker(request, {
      kind: 'create-key',
      address: zeroAddress,
      digest,
      chainId: 0,
      authorisationHash: approval === null ? zero32 : hashOf(approval),
    })
    await requireFirstOwners(request, now())
    const purpose = `create a key of ${subject} for ${digest}`
    const { sample, entropyHash } = await admission.admit(request.entropy, nonce, purpose, now())
    let key = made.get(sample.value, now()) // a retry: one sample makes one key; only the quote is new
    if (!key) {
      const owner = { subject, ownersHash: digest, since: owners && ('creation' as const) }
      key = makeKey(fromHex(sample.value, 32), platform, owner, now())
      made.set(sample.value, key, now())
    }
    const binding = encodeCreateKeyBinding({
      keyId: key.keyId,
      publicKey: key.publicKey,
      sealedKeyHash: toHex(createHash('sha256').update(fromHex(key.sealedKey)).digest()),
      nonce,
      coordinatorReportHash,
      entropyHash,
      ownersHash: digest,
      authorisationHash: hashOf({ statement, approval }),
      createdAt: key.createdAt,
    })
    const evidence = await platform.quote(fromHex(reportData(binding)))
    return { ...key, platform: platform.name, ...evidence }
  }
}

/**
 * The key is secret because of the platform's randomness: the sample is public. It is mixed in (RFC 5869, as the salt),
 * so that an attacker who can predict a broken platform generator still needs the sample that was used.
 */
function makeKey(
  sample: Uint8Array,
  platform: Platform,
  owner: Omit<KeyName, 'keyId' | 'address'>,
  createdAt: UnixSeconds,
): NewKey {
  const random = randomBytes(32)
  // 48 bytes before the reduction, so that the scalar's bias is negligible (FIPS 186-5, A.2.1).
  const wide = new Uint8Array(hkdfSync('sha256', random, sample, 'perigee.key.v1', 48))
  const privateKey = mapHashToField(wide, secp256k1.CURVE.n)
  try {
    const point = secp256k1.getPublicKey(privateKey, false)
    const publicKey = toHex(Uint8Array.of(2 + ((point[64] as number) & 1), ...point.subarray(1, 33))) // SEC 1, 2.3.3
    const address = publicKeyToAddress(toHex(point)).toLowerCase() as Hex
    const keyId = keyIdOf(publicKey)
    const sealedKey = sealKey(platform.sealingKeys, { keyId, address, ...owner }, privateKey, publicKey)
    return { keyId, publicKey, address, sealedKey, createdAt }
  } finally {
    for (const secret of [random, wide, privateKey]) secret.fill(0)
  }
}
