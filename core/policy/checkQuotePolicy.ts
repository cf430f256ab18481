import type { UnixSeconds } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import type { QuoteVerdict, TcbStatus } from '../tdx/index.js'
import { requireTime } from '../x509/index.js'
import type { QuotePolicy } from './policySchemas.js'

/** Decides whether a verified quote may be acted on. Throws `tcb_not_allowed` or `platform_not_allowed`. */
export function checkQuotePolicy(verdict: QuoteVerdict, policy: QuotePolicy, now: UnixSeconds): void {
  requireTime(now)
  checkTcb(verdict, policy, now)
  if (policy.ppids && !policy.ppids.some((ppid) => ppid.toLowerCase() === verdict.ppid)) {
    throw new ServiceError('platform_not_allowed', 'the platform is not on the list', { ppid: verdict.ppid })
  }
}

function checkTcb(verdict: QuoteVerdict, policy: QuotePolicy, now: UnixSeconds): void {
  const { tcbStatus, advisoryIds, currentTcbStatus, currentAdvisoryIds = [], tcbEvaluationDataNumber } = verdict
  const refuse = (reason: string): never => {
    throw new ServiceError('tcb_not_allowed', `the platform’s TCB may not be used: ${reason}`, {
      tcbStatus,
      advisoryIds: advisoryIds.join(','),
      ...(currentTcbStatus && { currentTcbStatus, currentAdvisoryIds: currentAdvisoryIds.join(',') }),
      tcbEvaluationDataNumber,
    })
  }
  if (tcbEvaluationDataNumber < (policy.minTcbEvaluationDataNumber ?? 0)) refuse('the collateral was rolled back')
  const checkLevel = (status: TcbStatus, advisories: readonly string[]) => {
    if (!(policy.tcbStatuses ?? ['UpToDate']).includes(status)) refuse(`status ${status} is not on the list`)
    if (status === 'UpToDate') return
    const open = advisories.find((id) => !policy.allowedAdvisoryIds?.includes(id))
    if (open !== undefined) refuse(`${open} is open`)
    // A TD to relaunch was launched out of date. A grace window needs an end, so a missing date refuses.
    const isOutdated = /^(OutOfDate|TDRelaunchAdvised)/.test(status)
    if (isOutdated && !(now <= (policy.outOfDateUntil ?? -1))) refuse('the grace window is over')
  }
  checkLevel(tcbStatus, advisoryIds)
  // Intel's status is the launch's, whatever was loaded since. What runs now passes if it is up to date or allowed too.
  if (currentTcbStatus && currentTcbStatus !== 'UpToDate') checkLevel(currentTcbStatus, currentAdvisoryIds)
}
