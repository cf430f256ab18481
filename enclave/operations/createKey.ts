import { randomBytes } from 'node:crypto'
import { fromHex } from '@perigee/core'
import { hashOf, ownersHash, zero32, zeroAddress } from '@perigee/core/authorisation'
import { encodeCreateKeyBinding } from '@perigee/core/binding'
import { keyIdOf, parseCreateKeyRequest, type CreateKeyAnswer } from '@perigee/core/enclave'
import { requireFirstOwners } from '../authority/owners.js'
import { sealedKeyHash, sealKey, type KeyName } from '../keys/sealing.js'
import { derivePrivateKey, publicKeyOf } from '../keys/secp256k1.js'
import { prove, type Platform } from '../platforms/Platform.js'
import type { OperationDeps } from './OperationDeps.js'

type NewKey = Pick<CreateKeyAnswer, 'keyId' | 'publicKey' | 'address' | 'sealedKey'>

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
      key = makeKey(fromHex(sample.value, 32), platform, owner)
      made.set(sample.value, key, now())
    }
    const createdAt = now() // of a retry, its own time: the statement that it comes with may be younger than the key
    const binding = encodeCreateKeyBinding({
      keyId: key.keyId,
      publicKey: key.publicKey,
      sealedKeyHash: sealedKeyHash(key.sealedKey),
      nonce,
      coordinatorReportHash,
      entropyHash,
      ownersHash: digest,
      authorisationHash: hashOf({ statement, approval }),
      createdAt,
    })
    return { ...key, createdAt, ...(await prove(platform, binding)) }
  }
}

/**
 * The key is secret because of the platform's randomness: the sample is public. It is mixed in,
 * so that an attacker who can predict a broken platform generator still needs the sample that was used.
 */
function makeKey(sample: Uint8Array, platform: Platform, owner: Omit<KeyName, 'keyId' | 'address'>): NewKey {
  const random = randomBytes(32)
  const privateKey = derivePrivateKey(random, sample)
  try {
    const { publicKey, address } = publicKeyOf(privateKey)
    const keyId = keyIdOf(publicKey)
    const sealedKey = sealKey(platform.sealingKeys, { keyId, address, ...owner }, privateKey, publicKey)
    return { keyId, publicKey, address, sealedKey }
  } finally {
    for (const secret of [random, privateKey]) secret.fill(0)
  }
}
