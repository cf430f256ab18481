import { ServiceError } from '../errors/index.js'
import { checkSnpPolicy } from '../policy/index.js'
import type { SnpTcb, SnpVerdict } from '../snp/index.js'
import type { TdReport } from '../tdx/index.js'
import type { CoordinatorBuild, EnclaveBuild, MeasurementRelease } from './Release.js'
import { composeHashOf, replayRtmr3, type RuntimeEvent } from './runtimeEvents.js'

type Registers = Pick<TdReport, 'mrTd' | 'rtmr0' | 'rtmr1' | 'rtmr2' | 'rtmr3'>

/** The published build that has these measurements. Throws `measurement_unknown` when there is none, or when the log does not replay. */
export function checkEnclaveBuild(
  registers: Registers,
  runtimeEvents: readonly RuntimeEvent[] | null,
  release: MeasurementRelease,
): EnclaveBuild {
  if (runtimeEvents !== null && replayRtmr3(runtimeEvents) !== registers.rtmr3) {
    throw new ServiceError('measurement_unknown', 'the log of run-time events does not replay to the quoted RTMR3')
  }
  const composeHash = runtimeEvents === null ? null : composeHashOf(runtimeEvents)
  const build = release.enclaves.find(
    (known) =>
      known.mrTd === registers.mrTd &&
      known.rtmr0 === registers.rtmr0 &&
      known.rtmr1 === registers.rtmr1 &&
      known.rtmr2 === registers.rtmr2 &&
      (known.composeHash === undefined ? known.rtmr3 === registers.rtmr3 : known.composeHash === composeHash),
  )
  if (build) return build
  const { mrTd, rtmr3 } = registers
  const facts = { mrTd, rtmr3, composeHash }
  throw new ServiceError('measurement_unknown', 'this enclave build is not in the published release', facts)
}

/** The published coordinator build of this verified report. Throws `measurement_unknown`, `tcb_not_allowed` or `platform_not_allowed`. */
export function checkCoordinatorBuild(verdict: SnpVerdict, release: MeasurementRelease): CoordinatorBuild {
  const { measurement } = verdict
  const build = release.coordinators.find((known) => known.measurement === measurement)
  if (!build) {
    const facts = { measurement }
    throw new ServiceError('measurement_unknown', 'this coordinator build is not in the published release', facts)
  }
  checkSnpPolicy(verdict, { minTcb: build.minTcb as SnpTcb, vmpl: build.vmpl })
  return build
}
