import { fromHex } from '../../../bytes/index.js'
import { ServiceError } from '../../../errors/index.js'
import { visibleText, type ParsedMessage } from '../../../message/index.js'
import { parseSignature, serializeSigned, serializeUnsigned, verifySigner } from '../../../transaction/index.js'
import { addressOfPublicKey } from '../../addressOfPublicKey.js'
import { subjectOf } from '../../subjectOf.js'
import { hashed, receiptOf, signatureOf } from '../evidence.js'
import type { Step } from '../types.js'
import { verifyOpening } from '../verifyOpening.js'

/** The digest and hash are those of the transaction that the receipt shows. */
export const transactionDigestStep: Step = {
  name: 'transaction_digest',
  title: 'Digest and hash are those of the transaction shown',
  run(work) {
    const { transaction } = receiptOf(work, 'perigee-receipt/1')
    const digest = hashed(work, 'unsigned transaction', 'keccak-256', fromHex(serializeUnsigned(transaction)))
    if (digest !== transaction.digest) {
      throw new ServiceError('digest_mismatch', 'digest is not keccak256 of the transaction shown', { digest })
    }
    const signed = fromHex(serializeSigned(transaction, transaction.signature))
    const txHash = hashed(work, 'signed transaction', 'keccak-256', signed)
    if (txHash !== transaction.txHash) {
      throw new ServiceError('tx_hash_mismatch', 'txHash is not that of the signed transaction', { txHash })
    }
    return `keccak256 of the unsigned bytes = digest ${digest}; of the signed bytes = txHash ${txHash}`
  },
}

/** One signature, in its only accepted form, by the wallet. */
export const signature: Step = {
  name: 'signature',
  title: 'The signature is the wallet’s',
  async run(work) {
    const { transaction } = receiptOf(work, 'perigee-receipt/1')
    parseSignature(transaction.signature)
    await verifySigner(transaction, transaction.signature, transaction.from)
    return `low-s signature over the digest recovers to ${transaction.from}`
  },
}

/**
 * With the opening: content and signature are those that the receipt commits to, and the signature is the wallet's.
 * Without it, the receipt shows that the enclave signed something that the person asked for, and not what.
 */
export const opening: Step = {
  name: 'opening',
  title: 'The opening shows what was signed',
  absent: ({ evidence }) =>
    evidence.opening === undefined ? 'no opening was given: content and signature stay hidden' : undefined,
  async run(work) {
    const { parsed } = await verifyOpening(receiptOf(work, 'perigee-message/1'), work.evidence.opening)
    return `the wallet signed ${contentOf(parsed)}`
  },
}

/** The key that the quote binds is the wallet's key. */
export const publicKey: Step = {
  name: 'public_key',
  title: 'The enclave’s key is the wallet’s key',
  run(work) {
    const receipt = signatureOf(work)
    const { signer } = receipt
    const address = addressOfPublicKey(signer.publicKey)
    if (address !== signer.address || address !== subjectOf(receipt).wallet) {
      throw new ServiceError('public_key_mismatch', 'the public key belongs to another address', { address })
    }
    return `address of public key ${signer.publicKey} = ${address}`
  },
}

/** For people. */
function contentOf({ message, text, signIn }: ParsedMessage): string {
  const what = signIn ? `a sign-in to ${signIn.domain}` : message.scheme === 'eip712' ? 'typed data' : 'a message'
  const content = message.scheme === 'eip712' ? message.typedData : (text ?? message.message)
  return `${what}: ${visibleText(JSON.stringify(content))}`
}
