import { ownersHash, zero32, type Authorisation } from '../../../authorisation/index.js'
import { verifyCid } from '../../../bytes/index.js'
import { ServiceError, type ErrorCode, type Facts } from '../../../errors/index.js'
import type { TrustAnchors } from '../../anchors/TrustAnchors.js'
import type { BirthReceiptV1, SignatureReceipt } from '../../AnyReceipt.js'
import { parseBirth } from '../../schema/parseReceipt.js'
import { isoTime, signatureOf, whyMissing } from '../evidence.js'
import { eventsAbout } from '../verificationTime.js'
import type { ReceiptEvidence, ReceiptVerdict, Step, Work } from '../types.js'

const skewSeconds = 60

/** The key that signed was made by an enclave, for this person, before it signed: its birth receipt verifies by itself. */
export const birthStep: Step = {
  name: 'birth',
  title: 'The key was born in an enclave, before it signed',
  skippable: true,
  async run(work) {
    const receipt = signatureOf(work)
    const { birthCid } = receipt.signer
    const evidence = birthEvidence(work, birthCid)
    const birth = readBirth(evidence, birthCid)
    compareKeys(receipt, birth)
    refuseSecondBirth(birth, evidence, work.options.anchors)
    const verdict = await verdictOn(work, evidence, birthCid)
    const first = verdict.steps.find(({ status }) => status === 'fail')
    if (first !== undefined) {
      const facts = { birthCid, failed: verdict.failed.join(' '), code: first.code ?? 'unknown' }
      if (verdict.unchecked.length === verdict.failed.length) {
        fail('evidence_missing', `the birth receipt could not be checked: ${first.step}: ${first.detail}`, facts)
      }
      fail('birth_invalid', `the birth receipt does not verify: ${first.step}: ${first.detail}`, facts)
    }
    const born = isoTime(birth.key.createdAt)
    const except = verdict.skipped.length === 0 ? '' : `, except ${verdict.skipped.join(', ')}`
    return `${birthCid} verifies (${verdict.steps.length - verdict.skipped.length} steps${except}): key ${birth.key.keyId} was born ${born}`
  },
}

function birthEvidence({ evidence }: Work, birthCid: string): ReceiptEvidence {
  if (evidence.birth === undefined) {
    fail('birth_missing', whyMissing(evidence, 'birth', `birth receipt ${birthCid}`, 'was not given'), { birthCid })
  }
  const { releases } = evidence // the same lists; which of them counts, the birth's own block decides
  const missing = { ...evidence.missing, ...evidence.birth.missing }
  return { ...evidence.birth, cid: birthCid, missing, releases }
}

function readBirth({ receipt }: ReceiptEvidence, birthCid: string): BirthReceiptV1 {
  try {
    verifyCid(birthCid, receipt)
  } catch {
    fail('birth_mismatch', 'the bytes given are not those of the birth receipt that is named', { birthCid })
  }
  try {
    return parseBirth(receipt)
  } catch (error) {
    fail('birth_invalid', `what is named is no birth receipt: ${(error as Error).message}`, { birthCid })
  }
}

/** The same key, the same person, the same first owners, and born before the signature. */
function compareKeys({ signer, authorisation }: SignatureReceipt, { key }: BirthReceiptV1): void {
  for (const name of ['publicKey', 'address', 'keyId'] as const) {
    if (signer[name] !== key[name]) fail('birth_mismatch', `the birth is that of another ${name}`, { born: key[name] })
  }
  if (authorisation.statement.subject !== key.subject) fail('birth_mismatch', 'the key was born for somebody else')
  compareOwners(authorisation.passkey, key)
  if (key.createdAt > signer.signedAt + skewSeconds) {
    const facts = { createdAt: key.createdAt, signedAt: signer.signedAt }
    fail('birth_late', 'the key was born after it signed', facts)
  }
}

/**
 * A record names only the one before it, so the birth's owners can be compared with records 0 and 1. Later records follow
 * from them because the enclave let the owners of the time decide: no receipt shows that again.
 */
function compareOwners(passkey: Authorisation['passkey'], key: BirthReceiptV1['key']): void {
  const bornOwned = key.ownersHash !== zero32
  if (bornOwned !== (passkey?.since === 'creation')) {
    fail('birth_mismatch', `the key was born ${bornOwned ? 'with' : 'without'} owners; the signature says otherwise`)
  }
  if (passkey === null) return
  const { owners } = passkey
  const { sequence, previous } = owners
  if ((sequence === 0) !== (previous === null)) {
    fail('birth_mismatch', 'only the first owners record has none before it', { sequence })
  }
  if (!bornOwned || sequence > 1) return
  if ((previous ?? ownersHash(owners)) !== key.ownersHash) {
    fail('birth_mismatch', 'the key was born with other owners', { born: key.ownersHash, sequence })
  }
}

/** Two births of one wallet would let a publisher choose which one a reader sees. */
function refuseSecondBirth(birth: BirthReceiptV1, evidence: ReceiptEvidence, anchors: TrustAnchors): void {
  const other = eventsAbout(birth, evidence, anchors).find(({ ipfsCid }) => ipfsCid !== evidence.cid)
  if (other) fail('birth_duplicate', 'the chain names another birth of this wallet too', { other: other.ipfsCid })
}

function verdictOn({ options, verify }: Work, evidence: ReceiptEvidence, birthCid: string): Promise<ReceiptVerdict> {
  const known = options.births?.get(birthCid)
  if (known) return known
  // A time that the caller gave is about the receipt. The birth keeps the time of its own block.
  const { births: _, explain: __, at: ___, ...rest } = options
  const verdict = verify(evidence, rest)
  options.births?.set(birthCid, verdict)
  return verdict
}

function fail(code: ErrorCode, message: string, facts: Facts = {}): never {
  throw new ServiceError(code, message, facts)
}
