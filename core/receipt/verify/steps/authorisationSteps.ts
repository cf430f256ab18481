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
import type { Hex } from '../../../bytes/index.js'
import { ServiceError } from '../../../errors/index.js'
import { messageKinds } from '../../../message/index.js'
import type { SignatureReceipt } from '../../AnyReceipt.js'
import { subjectOf } from '../../subjectOf.js'
import { hashed, need, receiptOf, shorten, signatureOf } from '../evidence.js'
import type { Step, Work } from '../types.js'

/** What the enclave was asked to sign. */
function askedOf(receipt: SignatureReceipt): Signable {
  if (receipt.version === 'perigee-receipt/1') {
    const { chainId, digest } = receipt.transaction
    return { kind: 'transaction', chainId, digest }
  }
  const { scheme, requestHash: digest } = receipt.message
  return { kind: messageKinds[scheme], chainId: 0, digest }
}

/** The attested coordinator asked for exactly this signature, in the name of one person, and in time. */
export const statementStep: Step = {
  name: 'statement',
  title: 'The coordinator’s statement asks for exactly this signature',
  skippable: true,
  run(work) {
    const receipt = signatureOf(work)
    const { kind, ...asked } = askedOf(receipt)
    const { passkey } = receipt.authorisation
    const about = { kind: `sign-${kind}`, address: subjectOf(receipt).wallet, ...asked } as const
    return checkStatement(work, { ...about, authorisationHash: approvalHash(passkey) })
  },
}

/** What the statement binds of the user's own authorisation: the approval, without what the enclave added. */
function approvalHash(passkey: Authorisation['passkey']): Hex {
  if (passkey === null) return zero32
  const { since: _since, owners: _owners, ...approval } = passkey
  return hashOf(approval)
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

/** The level is enough for the verifier. Where the wallet has owners, one of them agreed to exactly this signature. */
export const passkeyStep: Step = {
  name: 'passkey',
  title: 'Who authorised it is shown as strongly as you ask',
  skippable: true,
  async run(work) {
    const receipt = signatureOf(work)
    const { signer, authorisation } = receipt
    const { level, passkey } = authorisation
    const { minimum = 'coordinator-attested', since } = work.options.anchors.authorisation ?? {}
    if (authorisationLevels.indexOf(level) < authorisationLevels.indexOf(minimum)) {
      throw new ServiceError('authorisation_level', `only ${level}, and you ask for ${minimum}`, { level, minimum })
    }
    if (since !== undefined && passkey?.since !== since) {
      const facts = { since: passkey?.since ?? 'none', wanted: since }
      const message = 'the wallet has no owners since its birth, and you ask for them'
      throw new ServiceError('authorisation_level', message, facts)
    }
    if (passkey === null) return 'no passkey: the statement of the attested coordinator is all that shows who asked'
    const intent = signingIntent(subjectOf(receipt).wallet, passkey.owners, askedOf(receipt))
    const { validUntil, salt } = passkey
    hashed(work, 'passkey challenge', 'sha-256', encodeIntent({ ...intent, validUntil, salt }))
    checkApprovalTime(passkey, signer.signedAt)
    await verifyPasskeyApproval(passkey, passkey.owners.credentials, intent)
    const weaker = passkey.since === 'upgrade' ? '; the wallet got its owners after it was made' : ''
    return `passkey ${shorten(passkey.credential)} of the owners (record ${passkey.owners.sequence}) approved this digest${weaker}`
  },
}
