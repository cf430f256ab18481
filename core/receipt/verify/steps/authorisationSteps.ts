import {
  authorisationLevels,
  checkApprovalTime,
  encodeIntent,
  encodeStatement,
  hashOf,
  signingIntent,
  verifyPasskeyApproval,
  verifyStatement,
  zero32,
  type Authorisation,
  type Signable,
  type Stated,
} from '../../../authorisation/index.js'
import { canonicalJson, type Hex } from '../../../bytes/index.js'
import { ServiceError } from '../../../errors/index.js'
import { subjectOf } from '../../AnyReceipt.js'
import { hashed, need, receiptOf, shorten, signedOf } from '../evidence.js'
import type { AttestationReceiptV1 } from '../../AttestationReceiptV1.js'
import type { Step, Work } from '../types.js'

/** The attested coordinator asked for exactly this signature, in the name of one person, and in time. */
export const statementStep: Step = {
  name: 'statement',
  title: 'The coordinator’s statement asks for exactly this signature',
  skippable: true,
  async run(work) {
    const { transaction, authorisation } = signedOf(work)
    const { from: address, digest, chainId } = transaction
    const authorisationHash = approvalHash(authorisation)
    return checkStatement(work, { kind: 'sign-transaction', address, digest, chainId, authorisationHash })
  },
}

/** Throws unless the attested coordinator stated exactly this, in time, by a report that had not expired. */
export async function checkStatement(work: Work, about: Stated): Promise<string> {
  const receipt = receiptOf(work)
  const { statement } = receipt.authorisation
  const { expiresAt } = receipt.coordinator
  const { madeAt } = subjectOf(receipt)
  const identity = need(work.identity, 'no verified report binds the coordinator’s request key')
  hashed(work, 'statement', 'sha-256', encodeStatement(statement))
  await verifyStatement(statement, about, identity.requestKey, madeAt)
  if (madeAt > expiresAt) {
    const facts = { madeAt, expiresAt }
    throw new ServiceError('coordinator_expired', 'the coordinator’s report had expired by then', facts)
  }
  return `signed by request key ${shorten(identity.requestKey)} of the attested coordinator, for subject ${shorten(statement.subject)}`
}

/** Where the wallet has owners: one of them agreed to exactly this transaction. The level is enough for the verifier. */
export const passkeyStep: Step = {
  name: 'passkey',
  title: 'Who authorised it is shown as strongly as you ask',
  skippable: true,
  run(work) {
    const receipt = signedOf(work)
    const { from, chainId, digest } = receipt.transaction
    return checkPasskey(work, receipt, from, { kind: 'transaction', chainId, digest })
  },
}

/** Throws unless the level is enough, and an owner agreed to exactly this where the wallet has owners. */
export async function checkPasskey(
  work: Work,
  { signer, authorisation }: Pick<AttestationReceiptV1, 'signer' | 'authorisation'>,
  address: Hex,
  about: Signable,
): Promise<string> {
  const { level, passkey } = authorisation
  const { minimum = 'coordinator-attested', since } = work.options.anchors.authorisation ?? {}
  if (authorisationLevels.indexOf(level) < authorisationLevels.indexOf(minimum)) {
    throw new ServiceError('authorisation_level', `only ${level}, and you ask for ${minimum}`, { level, minimum })
  }
  if (since !== undefined && passkey?.since !== since) {
    const facts = { since: passkey?.since ?? 'none', wanted: since }
    throw new ServiceError(
      'authorisation_level',
      'the wallet has no owners since its birth, and you ask for them',
      facts,
    )
  }
  if (passkey === null) return 'no passkey: the statement of the attested coordinator is all that shows who asked'
  const intent = signingIntent(address, passkey.owners, about)
  const { validUntil, salt } = passkey
  hashed(work, 'passkey challenge', 'sha-256', encodeIntent({ ...intent, validUntil, salt }))
  checkApprovalTime(passkey, signer.signedAt)
  await verifyPasskeyApproval(passkey, passkey.owners.credentials, intent)
  const weaker = passkey.since === 'upgrade' ? '; the wallet got its owners after it was made' : ''
  return `passkey ${shorten(passkey.credential)} of the owners (record ${passkey.owners.sequence}) approved this digest${weaker}`
}

/** What the statement binds of the user's own authorisation: the approval, without what the enclave added. */
export function approvalHash({ passkey }: Authorisation): Hex {
  if (passkey === null) return zero32
  const { since: _since, owners: _owners, ...approval } = passkey
  return hashOf(approval)
}

/** The canonical bytes whose hash REPORTDATA binds. */
export function authorisationBytes(authorisation: Authorisation): Uint8Array {
  return new TextEncoder().encode(canonicalJson(authorisation))
}
