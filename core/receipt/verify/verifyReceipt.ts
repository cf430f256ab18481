import { ServiceError, type ErrorCode } from '../../errors/index.js'
import { subjectOf } from '../subjectOf.js'
import { isSimulated } from '../anchors/vendorRoots.js'
import { receiptKindOf } from '../schema/parseReceipt.js'
import * as authorisation from './steps/authorisationSteps.js'
import * as binding from './steps/bindingSteps.js'
import * as birth from './steps/birthSteps.js'
import * as bytes from './steps/bytesSteps.js'
import { cidOfReceipt } from './evidence.js'
import { explain } from './explain.js'
import { firstEvent, verificationTime } from './verificationTime.js'
import * as hardware from './steps/hardwareSteps.js'
import * as publication from './steps/publicationSteps.js'
import { birthStep } from './steps/birthStep.js'
import { releaseList } from './steps/releaseListStep.js'
import * as signatures from './steps/signatureSteps.js'
import type { ReceiptEvidence, ReceiptVerdict, Step, StepResult, VerifyReceiptOptions, Work } from './types.js'

// What is checked of every receipt, whatever it is about.
const file = [bytes.canonicalBytes, bytes.cid]
const witnesses = [hardware.entropyWitness, hardware.coordinatorReport, hardware.coordinatorBinding]
const enclave = [hardware.collateralCid, hardware.quote]
const published = [releaseList, hardware.measurements, publication.times, publication.onchainEvent]

/** What verifying the receipt of a signature means, in order. */
export const receiptSteps: readonly Step[] = [
  ...file,
  signatures.transactionDigestStep,
  signatures.signature,
  signatures.publicKey,
  ...witnesses,
  authorisation.statementStep,
  authorisation.passkeyStep,
  ...enclave,
  binding.transactionBinding,
  binding.transactionPolicy,
  ...published,
  birthStep,
  publication.trustAnchorsStep,
]

/** What verifying the receipt of a key's creation means, in order. */
export const birthSteps: readonly Step[] = [
  ...file,
  birth.publicKey,
  ...witnesses,
  birth.statement,
  birth.owners,
  ...enclave,
  birth.reportData,
  ...published,
  publication.trustAnchorsStep,
]

/** What verifying the receipt of a signed message means, in order. */
export const messageSteps: readonly Step[] = [
  ...file,
  signatures.publicKey,
  ...witnesses,
  authorisation.statementStep,
  authorisation.passkeyStep,
  ...enclave,
  binding.messageBinding,
  binding.messagePolicy,
  ...published,
  birthStep,
  signatures.opening,
  publication.trustAnchorsStep,
]

const stepsOf = { transaction: receiptSteps, birth: birthSteps, message: messageSteps }

/** Runs every step of the receipt's kind and collects the verdict. Never throws for hostile evidence: it fails steps. */
export async function verifyReceipt(evidence: ReceiptEvidence, options: VerifyReceiptOptions): Promise<ReceiptVerdict> {
  const checks = checkReceipt(evidence, options)
  for (;;) {
    const next = await checks.next()
    if (next.done) return next.value
  }
}

/** The same, one result at a time, for showing progress. Returns the verdict at the end. */
export async function* checkReceipt(
  evidence: ReceiptEvidence,
  options: VerifyReceiptOptions,
): AsyncGenerator<StepResult, ReceiptVerdict> {
  refuseUselessOptions(options)
  const work: Work = { evidence, options, hashed: [], verify: verifyReceipt }
  const steps: StepResult[] = []
  for (const step of stepsOf[receiptKindOf(evidence.receipt)]) {
    const result = await runStep(step, work)
    steps.push(result)
    yield result
  }
  return verdictOf(work, steps)
}

/** What a step fails with when evidence is missing, not wrong. A step is not run when one that it needs has failed. */
const absenceCodes: readonly ErrorCode[] = ['evidence_missing', 'birth_missing', 'step_not_run']

async function runStep(step: Step, work: Work): Promise<StepResult> {
  const { name, title } = step
  const nothing = step.absent?.(work)
  if (nothing !== undefined) return { step: name, title, status: 'skip', detail: nothing }
  if (work.options.skip?.includes(name)) {
    const detail = 'skipped because you asked; nothing is known about it'
    return { step: name, title, status: 'skip', detail, asked: true }
  }
  work.hashed = []
  try {
    const detail = await step.run(work)
    if (work.evidence.recorded && step.isRecordable?.(work)) {
      const found = `not checked, only as the bundle’s maker recorded it: ${detail}`
      return { step: name, title, status: 'skip', detail: found, recorded: true, ...explained(work) }
    }
    return { step: name, title, status: 'pass', detail, ...explained(work) }
  } catch (error) {
    const known =
      error instanceof ServiceError ? error : new ServiceError('internal_error', 'unexpected error', {}, error)
    const { code, message: detail, facts } = known
    const unchecked = absenceCodes.includes(code) && { unchecked: true as const }
    return { step: name, title, status: 'fail', code, detail, facts, ...unchecked, ...explained(work) }
  }
}

const explained = (work: Work) => (work.hashed.length > 0 ? { hashed: work.hashed } : {})

// The caller's mistake, not the evidence's: an exception is clearer than a verdict that means something else.
function refuseUselessOptions({ skip = [], at, now }: VerifyReceiptOptions): void {
  for (const name of skip) {
    const step = receiptSteps.find((one) => one.name === name)
    if (!step?.skippable) throw new ServiceError('invalid_request', `step ${name} cannot be skipped`)
  }
  for (const time of [at, now]) {
    if (time !== undefined && !(Number.isSafeInteger(time) && time >= 0)) {
      throw new ServiceError('invalid_request', 'time must be whole seconds since 1970')
    }
  }
}

function verdictOf(work: Work, steps: StepResult[]): ReceiptVerdict {
  const { receipt, options } = work
  const about = receipt && subjectOf(receipt)
  const failed = steps.filter((step) => step.status === 'fail')
  return {
    verified: failed.length === 0 && !steps.some(({ asked }) => asked),
    simulated: receipt === undefined ? null : receipt.simulated || isSimulated(receipt),
    failed: failed.map((step) => step.step),
    unchecked: failed.filter((step) => step.unchecked).map((step) => step.step),
    skipped: steps.filter((step) => step.status === 'skip').map((step) => step.step),
    cid: cidOfReceipt(work),
    kind: about?.kind ?? null,
    txHash: about?.txHash ?? null,
    wallet: about?.wallet ?? null,
    chainId: about?.chainId ?? null,
    signedAt: about?.madeAt ?? null,
    blockTime: receipt ? (firstEvent(work)?.blockTimestamp ?? null) : null,
    asOf: receipt ? verificationTime(work).asOf : (options.at ?? null),
    steps,
    ...(options.explain && { explanation: explain(work, steps) }),
  }
}
