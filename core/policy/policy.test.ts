import { describe, expect, test } from 'vitest'
import { verifySnpReport, type SnpVerdict } from '../snp/index.js'
import { createSnpCases, snpCaseTime } from '../snp/testing/snpCases.js'
import { verifyQuote, type QuoteVerdict, type TcbStatus } from '../tdx/index.js'
import { caseTime, createTdxCases } from '../tdx/testing/tdxCases.js'
import { checkQuotePolicy, checkSnpPolicy, type QuotePolicy, type SnpPolicy } from './index.js'

const quotes = await createTdxCases()
const reports = await createSnpCases()

async function verdictOf(name: string): Promise<QuoteVerdict> {
  const item = quotes.find((candidate) => candidate.name === name) as (typeof quotes)[number]
  return verifyQuote(item.quote, item.collateral, item.root, item.now)
}

async function reportVerdictOf(name: string): Promise<SnpVerdict> {
  const item = reports.find((candidate) => candidate.name === name) as (typeof reports)[number]
  return verifySnpReport(item.evidence, { ...item.options, now: snpCaseTime })
}

describe('checkQuotePolicy', async () => {
  const upToDate = await verdictOf('a version 4 quote')
  const hardening = await verdictOf('a platform that needs software hardening')
  const outdated = await verdictOf('an outdated TDX module')
  const { ppid } = upToDate
  const check = (verdict: QuoteVerdict, policy: QuotePolicy) => () => checkQuotePolicy(verdict, policy, caseTime)
  const refusal = (code: string) => expect.objectContaining({ code })

  test('lets an up-to-date platform sign by default, and nothing else', () => {
    expect(check(upToDate, {})).not.toThrow()
    expect(check(hardening, {})).toThrowError(refusal('tcb_not_allowed'))
    expect(check(outdated, {})).toThrowError(refusal('tcb_not_allowed'))
  })

  test('takes a status that is listed only when its advisories are listed too', () => {
    const tcbStatuses: TcbStatus[] = ['UpToDate', 'SWHardeningNeeded']
    expect(check(hardening, { tcbStatuses })).toThrowError(refusal('tcb_not_allowed'))
    expect(check(hardening, { tcbStatuses, allowedAdvisoryIds: ['INTEL-SA-00615'] })).not.toThrow()
  })

  test('takes an outdated platform only inside a dated window', () => {
    const policy: QuotePolicy = { tcbStatuses: ['UpToDate', 'OutOfDate'], allowedAdvisoryIds: ['INTEL-SA-01099'] }
    expect(check(outdated, policy)).toThrowError(refusal('tcb_not_allowed'))
    expect(check(outdated, { ...policy, outOfDateUntil: caseTime - 1 })).toThrowError(refusal('tcb_not_allowed'))
    expect(check(outdated, { ...policy, outOfDateUntil: Number.NaN })).toThrowError(refusal('tcb_not_allowed'))
    expect(check(outdated, { ...policy, outOfDateUntil: caseTime })).not.toThrow()
  })

  test('takes a TD that was launched on something outdated only inside the same window', async () => {
    const relaunch = await verdictOf('TD 1.5 launched on an old module, the newest loaded now')
    const policy: QuotePolicy = { tcbStatuses: ['TDRelaunchAdvised'], allowedAdvisoryIds: ['INTEL-SA-01099'] }
    expect(check(relaunch, policy)).toThrowError(refusal('tcb_not_allowed'))
    expect(check(relaunch, { ...policy, outOfDateUntil: caseTime - 1 })).toThrowError(refusal('tcb_not_allowed'))
    expect(check(relaunch, { ...policy, outOfDateUntil: caseTime })).not.toThrow()
  })

  test('takes what runs now only as the policy takes what was launched', async () => {
    const current = await verdictOf(
      'TD 1.5 launched on a sound module, an outdated one loaded now: Intel’s library answers with the launch’s status',
    )
    expect(current).toMatchObject({ tcbStatus: 'UpToDate', currentTcbStatus: 'OutOfDate' })
    const tcbStatuses: TcbStatus[] = ['UpToDate', 'OutOfDate']
    const allowedAdvisoryIds = ['INTEL-SA-01099']
    expect(check(current, {})).toThrowError(refusal('tcb_not_allowed'))
    expect(check(current, { tcbStatuses, outOfDateUntil: caseTime })).toThrowError(refusal('tcb_not_allowed'))
    expect(check(current, { tcbStatuses, allowedAdvisoryIds })).toThrowError(refusal('tcb_not_allowed'))
    expect(check(current, { tcbStatuses, allowedAdvisoryIds, outOfDateUntil: caseTime })).not.toThrow()
    const hardened = await verdictOf('the same advice where the current level needs software hardening')
    const advised: QuotePolicy = { tcbStatuses: ['TDRelaunchAdvised'], allowedAdvisoryIds, outOfDateUntil: caseTime }
    expect(check(hardened, advised)).toThrowError(refusal('tcb_not_allowed'))
    const both: TcbStatus[] = ['TDRelaunchAdvised', 'SWHardeningNeeded']
    expect(check(hardened, { ...advised, tcbStatuses: both })).not.toThrow()
  })

  test('refuses collateral that was rolled back', () => {
    expect(check(upToDate, { minTcbEvaluationDataNumber: 19 })).toThrowError(refusal('tcb_not_allowed'))
    expect(check(upToDate, { minTcbEvaluationDataNumber: 18 })).not.toThrow()
  })

  test('refuses a platform that is not on the list, and an invalid time', () => {
    expect(check(upToDate, { ppids: [`0x${'00'.repeat(16)}`] })).toThrowError(refusal('platform_not_allowed'))
    expect(check(upToDate, { ppids: [ppid.toUpperCase().replace('0X', '0x') as typeof ppid] })).not.toThrow()
    expect(() => checkQuotePolicy(upToDate, {}, Number.NaN)).toThrowError(refusal('time_invalid'))
  })
})

describe('checkSnpPolicy', async () => {
  const verdict = await reportVerdictOf('a version 3 report')
  const vlek = await reportVerdictOf('a report signed by a VLEK')
  const masked = await reportVerdictOf('a report that masks its chip')
  const chipIds = [`0x${'c1'.repeat(64)}` as const]
  const minTcb = { bootloader: 4, tee: 0, snp: 24, microcode: 219 }

  test.each<[string, SnpVerdict, SnpPolicy]>([
    ['anything when nothing is asked', verdict, {}],
    ['the listed chip', verdict, { chipIds, minTcb, vmpl: 0 }],
    ['a chip that masks its id in reports', masked, { chipIds }],
  ])('accepts %s', (_, given, policy) => {
    expect(() => checkSnpPolicy(given, policy)).not.toThrow()
  })

  test.each<[string, string, SnpVerdict, SnpPolicy]>([
    ['other host data', 'measurement_unknown', verdict, { hostData: `0x${'01'.repeat(32)}` }],
    ['a chip that is not listed', 'platform_not_allowed', verdict, { chipIds: [] }],
    ['a VLEK where chips are listed', 'platform_not_allowed', vlek, { chipIds }],
    ['another VMPL', 'platform_not_allowed', verdict, { vmpl: 1 }],
    ['an old TCB', 'tcb_not_allowed', verdict, { minTcb: { ...minTcb, microcode: 220 } }],
    [
      'provisional firmware',
      'tcb_not_allowed',
      { ...verdict, currentTcb: { ...minTcb, snp: 25 } },
      { refuseProvisionalFirmware: true },
    ],
  ])('refuses %s', (_, code, given, policy) => {
    expect(() => checkSnpPolicy(given, policy)).toThrowError(expect.objectContaining({ code }))
  })
})
