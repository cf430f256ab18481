import { ServiceError } from '../errors/index.js'
import type { SnpTcb, SnpVerdict } from '../snp/index.js'
import type { SnpPolicy } from './policySchemas.js'

/** Decides whether a verified report may be acted on. Throws `measurement_unknown`, `platform_not_allowed` or `tcb_not_allowed`. */
export function checkSnpPolicy(verdict: SnpVerdict, policy: SnpPolicy): void {
  const { hostData, hardwareId, vmpl } = verdict
  if (policy.minTcb) checkMinTcb(verdict, policy.minTcb)
  if (policy.refuseProvisionalFirmware && !reaches(verdict.committedTcb, verdict.currentTcb)) {
    throw new ServiceError('tcb_not_allowed', 'the firmware in use is provisional: it can be rolled back')
  }
  if (policy.hostData !== undefined && !has([policy.hostData], hostData)) {
    throw new ServiceError('measurement_unknown', 'the guest was started with other host data', { hostData })
  }
  if (policy.vmpl !== undefined && vmpl !== policy.vmpl) {
    throw new ServiceError('platform_not_allowed', 'the report comes from another privilege level', { vmpl })
  }
  // The certificate's chip id counts, not the report's: an owner may mask the latter. A VLEK names no chip.
  if (policy.chipIds && !(hardwareId && has(policy.chipIds, hardwareId))) {
    throw new ServiceError('platform_not_allowed', 'the chip is not on the list', { chipId: hardwareId ?? 'none' })
  }
}

type MinTcb = NonNullable<SnpPolicy['minTcb']>

function checkMinTcb({ reportedTcb, committedTcb, launchTcb }: SnpVerdict, minTcb: MinTcb): void {
  if ([reportedTcb, committedTcb, launchTcb].every((tcb) => reaches(tcb, minTcb))) return
  throw new ServiceError('tcb_not_allowed', 'the chip’s TCB is below the minimum', {
    reported: JSON.stringify(reportedTcb),
    minimum: JSON.stringify(minTcb),
  })
}

function reaches(tcb: SnpTcb, wanted: MinTcb): boolean {
  return (Object.keys(wanted) as (keyof SnpTcb)[]).every((part) => (tcb[part] ?? 0) >= (wanted[part] ?? 0))
}

function has(list: readonly string[], value: string): boolean {
  return list.some((item) => item.toLowerCase() === value.toLowerCase())
}
