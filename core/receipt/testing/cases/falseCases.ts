import { hashOf, type Authorisation, type PasskeyApproval, type Statement } from '../../../authorisation/index.js'
import type { Hex } from '../../../bytes/index.js'
import type { ErrorCode } from '../../../errors/index.js'
import type { StepName } from '../../verify/index.js'
import { mintReceipt, type Minted } from '../mintReceipt.js'
import { createSampleOwner, signStatement } from '../sampleOwner.js'
import { sampleEntropy, signedAt, type SimulatedWorld } from '../simulatedWorld.js'
import { caseOf, flip, republished, type ReceiptCase } from './receiptCase.js'

type Row<T> = [name: string, change: T, step: StepName, code: ErrorCode]
const other: Hex = `0x${'0e'.repeat(32)}`

/** What a publisher can write into a receipt although it is not true. */
const written: Row<(r: Minted['receipt']) => unknown>[] = [
  ['another amount', (r) => (r.transaction.value = '1'), 'transaction_digest', 'digest_mismatch'],
  ['another transaction hash', (r) => (r.transaction.txHash = flip(r.transaction.txHash)), 'transaction_digest', 'tx_hash_mismatch'],
  ['fees that no chain takes', (r) => (r.transaction.maxFeePerGas = '1'), 'transaction_digest', 'transaction_invalid'],
  ['another wallet', (r) => (r.transaction.from = flip(r.transaction.from)), 'signature', 'signature_invalid'],
  ['another public key', (r) => (r.signer.publicKey = `0x02${'ff'.repeat(32)}`), 'public_key', 'public_key_mismatch'],
  ['another entropy value', (r) => (r.entropy.value = flip(r.entropy.value)), 'entropy_witness', 'entropy_invalid'],
  ['a better entropy source', (r) => (r.entropy.provenance = 'satellite-signature-verified'), 'entropy_witness', 'entropy_untrusted'],
  ['an unknown entropy key', (r) => (r.entropy.signature!.keyId = 'sim-2'), 'entropy_witness', 'entropy_untrusted'],
  ['another report hash', (r) => (r.coordinator.reportHash = flip(r.coordinator.reportHash)), 'coordinator_report', 'claim_mismatch'],
  ['another AMD root', (r) => (r.coordinator.rootFingerprint = flip(r.coordinator.rootFingerprint)), 'coordinator_report', 'root_not_trusted'],
  ['the intermediate in place of the chip', (r) => (r.coordinator.vek = r.coordinator.intermediate), 'coordinator_report', 'vek_chain'],
  ['another coordinator', (r) => (r.coordinator.identity.service = 'other'), 'coordinator_binding', 'coordinator_binding_mismatch'],
  ['a longer life of the report', (r) => (r.coordinator.expiresAt += 1), 'coordinator_binding', 'coordinator_binding_mismatch'],
  ['a statement that nobody signed', (r) => (r.authorisation.statement.signature = `0x${'0e'.repeat(64)}`), 'statement', 'statement_invalid'],
  ['the birth in place of the collateral', (r) => (r.signer.collateralCid = r.signer.birthCid), 'quote', 'parse_failed'],
  ['another Intel root', (r) => (r.signer.rootFingerprint = flip(r.signer.rootFingerprint)), 'quote', 'root_not_trusted'],
  ['a changed quote', (r) => (r.signer.quote = flip(r.signer.quote, 1200)), 'quote', 'quote_signature'],
  ['half a quote', (r) => (r.signer.quote = r.signer.quote.slice(0, 2000) as Hex), 'quote', 'parse_failed'],
  ['another firmware status', (r) => (r.signer.tcbStatus = 'OutOfDate'), 'quote', 'claim_mismatch'],
  ['an advisory that is not open', (r) => r.signer.advisoryIds.push('INTEL-SA-00001'), 'quote', 'claim_mismatch'],
  ['another request nonce', (r) => (r.signer.nonce = flip(r.signer.nonce)), 'report_data', 'binding_mismatch'],
  ['another time of signing', (r) => (r.signer.signedAt -= 1), 'report_data', 'binding_mismatch'],
  ['another policy', (r) => (r.signer.policy.maxValue += '0'), 'report_data', 'binding_mismatch'],
  ['no boot log', (r) => (r.signer.runtimeEvents = []), 'measurements', 'event_log_invalid'],
  ['a report from after the signature', (r) => (r.coordinator.fetchedAt = signedAt + 61), 'times', 'times_inconsistent'],
  ['a report that is too old', (r) => (r.coordinator.fetchedAt -= 8 * 86_400), 'times', 'times_inconsistent'],
  ['a verification after the receipt', (r) => (r.signer.verifiedAt += 3700), 'times', 'times_inconsistent'],
  ['another contract', (r) => (r.verification.publication.contract = `0x${'01'.repeat(20)}`), 'onchain_event', 'event_mismatch'],
  ['real hardware claimed', (r) => (r.simulated = false), 'trust_anchors', 'simulated_mismatch'],
] // prettier-ignore

const restated = (changes: Partial<Statement>) => (good: Authorisation) => ({
  ...good,
  statement: signStatement({ ...good.statement, ...changes }),
})

/** The statement is about the altered approval, so that only the passkey's step can notice. */
const approved = (change: (good: PasskeyApproval) => PasskeyApproval) => (good: Authorisation) => {
  const { since, owners, ...approval } = good.passkey!
  const changed = change(approval)
  const statement = signStatement({ ...good.statement, authorisationHash: hashOf(changed) })
  return { ...good, statement, passkey: { ...changed, since, owners } }
}

/** What an enclave that does not do its work could sign: its quote vouches for it. */
function signedBlindly({ policy }: Minted['receipt']['signer']): Row<Parameters<typeof mintReceipt>[1]>[] {
  const owner = createSampleOwner()
  return [
    ['a statement for another digest', { authorisation: restated({ digest: other }) }, 'statement', 'statement_invalid'],
    ['a statement for another purpose', { authorisation: restated({ kind: 'change-owners' }) }, 'statement', 'statement_invalid'],
    ['an expired statement', { authorisation: restated({ issuedAt: signedAt - 9, expiresAt: signedAt - 1 }) }, 'statement', 'statement_expired'],
    ['an expired report', { reportLife: -1 }, 'statement', 'coordinator_expired'],
    ['a passkey’s approval with another salt', { owner, authorisation: approved((good) => ({ ...good, salt: `0x${'0e'.repeat(16)}` })) }, 'passkey', 'authorisation_invalid'],
    ['a passkey’s approval that had expired', { owner, authorisation: approved((good) => owner.resign({ ...good, validUntil: signedAt - 1 })) }, 'passkey', 'authorisation_expired'],
    ['entropy that was too old', { entropy: sampleEntropy('43', signedAt - 700) }, 'entropy_witness', 'entropy_stale'],
    ['entropy from the future', { entropy: sampleEntropy('43', signedAt + 100) }, 'entropy_witness', 'entropy_invalid'],
    ['a chain that its policy does not allow', { policy: { ...policy, chainIds: [1] } }, 'policy', 'chain_not_allowed'],
    ['a fee above its policy', { policy: { ...policy, maxFeePerGas: '1' } }, 'policy', 'fee_out_of_range'],
    ['a value above its policy', { policy: { ...policy, maxValue: '1' } }, 'policy', 'value_out_of_range'],
  ] // prettier-ignore
}

/** Receipts that are not true, each published by an event that names it. */
export function falseCases(world: SimulatedWorld, good: Minted): ReceiptCase[] {
  return [
    ...written.map(([name, change, step, code]) =>
      caseOf(`a receipt with ${name}`, republished(good, change), [step, code]),
    ),
    ...signedBlindly(good.receipt.signer).map(([name, changes, step, code]) =>
      caseOf(`an enclave that took ${name}`, mintReceipt(world, changes), [step, code]),
    ),
  ]
}
