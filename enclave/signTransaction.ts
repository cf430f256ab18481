import { secp256k1 } from '@noble/curves/secp256k1'
import { concatBytes, fromHex, toHex, type Hex, type UnixSeconds } from '@perigee/core'
import { encodeSignBinding, reportData } from '@perigee/core/binding'
import { parseSignTransactionRequest, type SignTransactionAnswer } from '@perigee/core/enclave'
import type { Admission } from './admission.js'
import type { Platform } from './platforms/Platform.js'
import { openKey } from './sealing.js'
import { checkTransaction, policyHash, type SigningPolicy } from './signingPolicy.js'

export interface SignTransactionDeps {
  platform: Platform
  admission: Admission
  policy: SigningPolicy
  now(): UnixSeconds
}

/**
 * The only operation that signs: check the transaction, admit the request, and only then open the key. The same
 * transaction always gives the same signature (RFC 6979), so a retry after a lost answer changes nothing on chain.
 */
export function signTransactionOperation({ platform, admission, policy, now }: SignTransactionDeps) {
  const hashOfPolicy = policyHash(policy)
  return async function signTransaction(body: unknown): Promise<SignTransactionAnswer> {
    const request = parseSignTransactionRequest(body)
    const { keyId, digest, nonce, coordinatorReportHash } = request
    const transaction = checkTransaction(request.transaction, digest, policy)
    const { entropyHash } = await admission.admit(request.entropy, nonce, `sign ${digest} with ${keyId}`, now())
    const { signature, publicKey } = signWith(platform, request, digest)
    const signedAt = now()
    const binding = {
      chainId: transaction.chainId,
      keyId,
      publicKey,
      digest,
      signature,
      nonce,
      coordinatorReportHash,
      entropyHash,
      policyHash: hashOfPolicy,
      signedAt,
    }
    const evidence = await platform.quote(fromHex(reportData(encodeSignBinding(binding))))
    return { signature, publicKey, policyHash: hashOfPolicy, signedAt, platform: platform.name, ...evidence }
  }
}

interface SealedKey {
  keyId: string
  address: Hex
  sealedKey: Hex
}

function signWith(platform: Platform, { keyId, address, sealedKey }: SealedKey, digest: Hex) {
  const key = openKey(platform.sealingKey, { keyId, address }, sealedKey)
  try {
    const signature = secp256k1.sign(fromHex(digest, 32), key.privateKey, { lowS: true, extraEntropy: false })
    const v = Uint8Array.of(27 + signature.recovery) // every parser accepts 27 and 28
    return { signature: toHex(concatBytes(signature.toCompactRawBytes(), v)), publicKey: key.publicKey }
  } finally {
    key.wipe()
  }
}
