import { isoTime, timesApart, type StepResult } from '@perigee/core/receipt/verify'
import type { FileVerdict } from './verifyFiles.js'
import type { TargetVerdict } from './receipt/verifyTarget.js'

const words = { pass: 'PASS', fail: 'FAIL', skip: 'SKIP' } as const

/** The verdict for people: one numbered line per step, then the conclusion. */
export function printVerdict(verdict: TargetVerdict): string[] {
  const { steps, trust, notes } = verdict
  const wide = Math.max(...steps.map((step) => step.step.length))
  return [
    `receipt ${verdict.cid}`,
    ...aboutLine(verdict),
    ...timeLines(verdict),
    `trust   ${trust.cid}${trust.simulated ? ' SIMULATED' : ''} (${trust.source})`,
    ...notes.map((note) => `note    ${note}`),
    '',
    ...steps.flatMap((step, index) => printStep(step, index + 1, wide)),
    '',
    ...todayLines(verdict),
    ...explained(verdict),
    conclusion(verdict),
  ]
}

/** With `--now`. */
function todayLines({ today }: TargetVerdict): string[] {
  if (today === undefined) return []
  switch (today.kind) {
    case 'checked':
      return [
        `today   TCB ${today.status} by collateral issued ${isoTime(today.issuedAt)}, in force until ${isoTime(today.expiresAt)}, from ${today.source}`,
        '',
      ]
    case 'refused':
      return [`today   FAIL [${today.code}] ${today.reason}`, '']
    case 'skip':
      return [`today   SKIP ${today.reason}`, '']
  }
}

function explained({ explanation }: TargetVerdict): string[] {
  if (explanation === undefined) return []
  return [...Object.entries(explanation).map(([what, words]) => `${what.padEnd(7)} ${words}`), '']
}

function aboutLine({ kind, txHash, wallet, chainId }: TargetVerdict): string[] {
  if (kind === null) return []
  if (kind === 'birth') return [`birth   of the key of ${wallet}`]
  if (kind === 'message') return [`message ${txHash} (commitment) signed by ${wallet}`]
  return [`signed  ${txHash} by ${wallet} on chain ${chainId}`]
}

/** Both times by their names, and the one that counted. */
function timeLines(verdict: TargetVerdict): string[] {
  const { signedAt, blockTime, asOf } = verdict
  if (signedAt === null || asOf === null) return []
  const apart = timesApart(verdict)
  const made = verdict.kind === 'birth' ? 'createdAt' : 'signedAt'
  const isRecorded = verdict.steps.some(({ recorded }) => recorded)
  const witness = isRecorded ? 'as recorded in the bundle, not checked' : 'by the chain'
  return [
    `${made.padEnd(9)} ${signedAt} (${isoTime(signedAt)}) by the enclave’s clock`,
    `blockTime ${blockTime === null ? 'none: without an event, nobody else saw the time' : `${blockTime} (${isoTime(blockTime)}) ${witness}`}`,
    `as of     ${asOf} (${isoTime(asOf)})`,
    ...(apart === null ? [] : [`note    ${apart}`]),
  ]
}

function printStep(step: StepResult, number: number, wide: number): string[] {
  const code = step.code === undefined ? '' : `[${step.code}] `
  const line = `${String(number).padStart(2)} ${words[step.status]} ${step.step.padEnd(wide)}  ${code}${step.detail}`
  const bytes = (step.hashed ?? []).flatMap((one) => [
    `      ${one.algorithm} of ${one.what} (${(one.bytes.length - 2) / 2} bytes) = ${one.digest}`,
    `      ${one.bytes}`,
  ])
  return [line, ...bytes]
}

function conclusion(verdict: TargetVerdict): string {
  const { verified, simulated, failed, unchecked, skipped, restsOnBundle, leftOut, trust } = verdict
  if (restsOnBundle && trust.selfMade)
    return 'NOT VERIFIED: it holds only under the trust anchors in the bundle, which its maker chose. Give yours with --trust.'
  if (restsOnBundle)
    return 'NOT VERIFIED: what needs no network holds. The event, its time and the list of builds were taken from the bundle and not checked: use --rpc instead of --offline.'
  if (leftOut.length > 0)
    return `NOT VERIFIED: you left out ${leftOut.length} of its steps: ${leftOut.join(', ')}. None of the others failed.`
  const except = skipped.length === 0 ? '' : ` except ${skipped.length} skipped: ${skipped.join(', ')}`
  if (!verified && failed.length === 0)
    return 'NOT VERIFIED as of today: the newest collateral does not accept the quote, or there is none in force.'
  if (!verified && unchecked.length === failed.length)
    return `NOT VERIFIED: ${failed.length} could not be checked, because ${missing(verdict)}: ${failed.join(', ')}. Nothing was found against the receipt`
  if (!verified)
    return `NOT VERIFIED: ${failed.length} failed: ${failed.join(', ')}${skipped.length === 0 ? '' : ` (and ${skipped.length} skipped: ${skipped.join(', ')})`}`
  return `VERIFIED${except}${simulated ? '. SIMULATED: it proves nothing about hardware' : ''}`
}

function missing({ steps }: TargetVerdict): string {
  const asked = steps.filter(({ asked }) => asked).map(({ step }) => step)
  return asked.length > 0 ? `you left out ${asked.join(', ')}` : 'evidence is missing'
}

/** A quote's or report's verdict for people. */
export function printFileVerdict(verdict: FileVerdict): string[] {
  const { accept, ...rest } = verdict
  const facts = Object.entries(rest).map(([name, value]) => `${name.padEnd(24)} ${print(value)}`)
  return [accept ? 'ACCEPTED' : 'REFUSED', ...facts]
}

const print = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
