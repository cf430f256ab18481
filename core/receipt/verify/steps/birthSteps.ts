import { hashOf, ownersHash, verifyOwnersApproval, zero32, zeroAddress } from '../../../authorisation/index.js'
import { encodeCreateKeyBinding } from '../../../binding/index.js'
import { fromHex } from '../../../bytes/index.js'
import { ServiceError } from '../../../errors/index.js'
import { addressOfPublicKey, keyIdOf } from '../../addressOfPublicKey.js'
import { checkStatement } from './authorisationSteps.js'
import { hashed, hashedJson, receiptOf, sameReportData, shorten } from '../evidence.js'
import type { Step } from '../types.js'

/** Address and key id follow from the public key that the quote binds. */
export const publicKey: Step = {
  name: 'public_key',
  title: 'Address and key id are those of the public key',
  run(work) {
    const { key } = receiptOf(work, 'perigee-birth/1')
    const address = addressOfPublicKey(key.publicKey)
    if (address !== key.address || keyIdOf(key.publicKey) !== key.keyId) {
      throw new ServiceError('public_key_mismatch', 'the public key has another address or id', { address })
    }
    return `address of public key ${key.publicKey} = ${address}`
  },
}

/** The attested coordinator asked for a key for this person and these owners, in time. */
export const statement: Step = {
  name: 'statement',
  title: 'The coordinator’s statement asks for a key for this person',
  skippable: true,
  async run(work) {
    const { key, authorisation } = receiptOf(work, 'perigee-birth/1')
    const { approval } = authorisation
    if (authorisation.statement.subject !== key.subject) {
      throw new ServiceError('statement_invalid', 'the statement names another subject than the key')
    }
    const authorisationHash = approval === null ? zero32 : hashOf(approval)
    const about = { kind: 'create-key', address: zeroAddress, digest: key.ownersHash, chainId: 0 } as const
    return checkStatement(work, { ...about, authorisationHash })
  },
}

/** Every passkey among the first owners agreed to be one. Which level is enough, the receipt of a signature decides. */
export const owners: Step = {
  name: 'passkey',
  title: 'The first owners agreed',
  skippable: true,
  async run(work) {
    const { key, authorisation } = receiptOf(work, 'perigee-birth/1')
    const { owners: next, approval } = authorisation
    if (ownersHash(next) !== key.ownersHash) {
      throw new ServiceError('owners_invalid', 'the owners shown are not those that the quote binds')
    }
    if (next === null || approval === null) return 'no passkey: the key was made without owners'
    await verifyOwnersApproval(approval, { current: null, next }, key.createdAt)
    return `${next.credentials.length} passkeys approved the owners record ${shorten(key.ownersHash)}`
  },
}

/** The quote vouches for this key, its seal, entropy, coordinator report, owners, and who asked. */
export const reportData: Step = {
  name: 'report_data',
  title: 'The quote binds this key and its evidence',
  skippable: true,
  run(work) {
    const { key, signer, coordinator, authorisation, entropy } = receiptOf(work, 'perigee-birth/1')
    const { statement, approval } = authorisation
    const encoded = encodeCreateKeyBinding({
      keyId: key.keyId,
      publicKey: key.publicKey,
      sealedKeyHash: key.sealedKeyHash,
      nonce: signer.nonce,
      coordinatorReportHash: hashed(work, 'coordinator report', 'sha-256', fromHex(coordinator.report)),
      entropyHash: hashedJson(work, 'entropy sample', entropy),
      ownersHash: key.ownersHash,
      authorisationHash: hashedJson(work, 'authorisation', { statement, approval }),
      createdAt: key.createdAt,
    })
    return sameReportData(work, 'create-key binding', encoded)
  },
}
