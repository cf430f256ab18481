import { fromHex, type Hex } from '@perigee/core'
import { authorisationOf, hashOf, ownersHash, zero32 } from '@perigee/core/authorisation'
import { encodeSignBinding, reportData } from '@perigee/core/binding'
import { parseSignTransactionRequest, type SignTransactionAnswer } from '@perigee/core/enclave'
import { policyHash } from '@perigee/core/policy'
import type { OperationDeps } from './OperationDeps.js'
import { requireOwner } from './owners.js'
import type { Platform } from './platforms/Platform.js'
import { openKey, type KeyName } from './sealing.js'
import { signDigest } from './secp256k1.js'
import { checkTransaction } from './checkTransaction.js'

/**
 * The only operation that signs: check the transaction, verify who asks and that an owner agreed, admit the request, and
 * only then open the key. The same transaction always gives the same signature (RFC 6979), so a retry after a lost
 * answer changes nothing on chain.
 */
export function signTransactionOperation({ platform, admission, verifyAsker, policy, now }: OperationDeps) {
  const hashOfPolicy = policyHash(policy)
  return async function signTransaction(body: unknown): Promise<SignTransactionAnswer> {
    const request = parseSignTransactionRequest(body)
    const { keyId, address, digest, nonce, statement, owners, since, approval } = request
    const { chainId } = checkTransaction(request.transaction, digest, policy)
    const authorisationHash = approval === null ? zero32 : hashOf(approval)
    const about = { kind: 'sign-transaction', address, digest, chainId, authorisationHash } as const
    const coordinatorReportHash = await verifyAsker(request, about)
    await requireOwner(request, { chainId, digest }, now())
    const { entropyHash } = await admission.admit(request.entropy, nonce, `sign ${digest} with ${keyId}`, now())
    const hashOfOwners = ownersHash(owners)
    const name: KeyName = { keyId, address, subject: statement.subject, ownersHash: hashOfOwners, since }
    const { signature, publicKey } = signWith(platform, request.sealedKey, name, digest)
    const signedAt = now()
    const binding = encodeSignBinding({
      chainId,
      keyId,
      publicKey,
      digest,
      signature,
      nonce,
      coordinatorReportHash,
      entropyHash,
      policyHash: hashOfPolicy,
      ownersHash: hashOfOwners,
      authorisationHash: hashOf(authorisationOf(request)),
      signedAt,
    })
    const evidence = await platform.quote(fromHex(reportData(binding)))
    return { signature, publicKey, policy, signedAt, platform: platform.name, ...evidence }
  }
}

function signWith(platform: Platform, sealedKey: Hex, name: KeyName, digest: Hex) {
  const key = openKey(platform.sealingKeys, name, sealedKey)
  try {
    return { signature: signDigest(fromHex(digest, 32), key.privateKey), publicKey: key.publicKey }
  } finally {
    key.wipe()
  }
}
