import { fromHex, type Hex } from '@perigee/core'
import { authorisationOf, hashOf, ownersHash, zero32, type Signable } from '@perigee/core/authorisation'
import type { BoundBySigning } from '@perigee/core/binding'
import type {
  SignMessageRequest,
  SignTransactionAnswer,
  SignTransactionRequest,
  Unchecked,
} from '@perigee/core/enclave'
import { policyHash } from '@perigee/core/policy'
import { requireOwner } from '../authority/owners.js'
import type { OperationDeps } from '../operations/OperationDeps.js'
import { prove, type Platform } from '../platforms/Platform.js'
import { openKey, type KeyName } from './sealing.js'
import { signHash } from './secp256k1.js'

/** What is asked, in the words of statements and intents, and the digest that the key signs for it. */
interface ToSign extends Signable {
  signedDigest: Hex
}

/**
 * The steps that lead to every signature, whatever is signed: verify who asks and that an owner agreed, admit the request,
 * and only then open the key, sign, and have the platform quote what `encode` makes of it. Callers pass digests that they
 * computed themselves from content that they checked. The same digest always gives the same signature (RFC 6979), so a
 * retry after a lost answer changes nothing.
 */
export function createSigner({ platform, admission, verifyAsker, policy, now }: OperationDeps) {
  const hashOfPolicy = policyHash(policy)
  return async function sign(
    request: Unchecked<SignTransactionRequest> | Unchecked<SignMessageRequest>,
    { signedDigest, ...asked }: ToSign,
    encode: (bound: BoundBySigning, signature: Hex) => Uint8Array,
  ): Promise<SignTransactionAnswer> {
    const { keyId, address, nonce, statement, owners, since, approval } = request
    const coordinatorReportHash = await verifyAsker(request, {
      kind: `sign-${asked.kind}`,
      address,
      digest: asked.digest,
      chainId: asked.chainId,
      authorisationHash: approval === null ? zero32 : hashOf(approval),
    })
    await requireOwner(request, asked, now())
    const { entropyHash } = await admission.admit(request.entropy, nonce, `sign ${asked.digest} with ${keyId}`, now())
    const hashOfOwners = ownersHash(owners)
    const name: KeyName = { keyId, address, subject: statement.subject, ownersHash: hashOfOwners, since }
    const { signature, publicKey } = signWith(platform, request.sealedKey, name, signedDigest)
    const signedAt = now()
    const bound = {
      keyId,
      publicKey,
      nonce,
      coordinatorReportHash,
      entropyHash,
      policyHash: hashOfPolicy,
      ownersHash: hashOfOwners,
      authorisationHash: hashOf(authorisationOf(request)),
      signedAt,
    }
    return { signature, publicKey, policy, signedAt, ...(await prove(platform, encode(bound, signature))) }
  }
}

function signWith(platform: Platform, sealedKey: Hex, name: KeyName, digest: Hex) {
  const key = openKey(platform.sealingKeys, name, sealedKey)
  try {
    return { signature: signHash(fromHex(digest, 32), key.privateKey), publicKey: key.publicKey }
  } finally {
    key.wipe()
  }
}
