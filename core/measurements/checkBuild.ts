import { ServiceError } from '../errors/index.js'
import { checkSnpPolicy } from '../policy/index.js'
import type { SnpVerdict } from '../snp/index.js'
import type { TdReport } from '../tdx/index.js'
import type { CoordinatorBuild, EnclaveBuild, MeasurementRelease } from './Release.js'
import { readBootLog, replayRtmr3, type KeyProvider, type RuntimeEvent } from './runtimeEvents.js'

type Registers = Pick<TdReport, 'mrTd' | 'rtmr0' | 'rtmr1' | 'rtmr2' | 'rtmr3'>

/**
 * The published build that has these measurements, running under the app id and the key service that the list names for
 * it. The right image alone is not enough: booted against another key service, its sealing key is known to that service.
 * Throws `event_log_invalid`, `measurement_unknown`, `app_id_mismatch` or a `key_provider_…` code.
 */
export function checkEnclaveBuild(
  registers: Registers,
  runtimeEvents: readonly RuntimeEvent[],
  release: MeasurementRelease,
): EnclaveBuild {
  if (replayRtmr3(runtimeEvents) !== registers.rtmr3) {
    throw new ServiceError('event_log_invalid', 'the log of run-time events does not replay to the quoted RTMR3')
  }
  const { composeHash, appId, keyProvider } = readBootLog(runtimeEvents)
  const build = release.enclaves.find(
    (known) =>
      known.composeHash === composeHash &&
      (['mrTd', 'rtmr0', 'rtmr1', 'rtmr2'] as const).every((name) => known[name] === registers[name]),
  )
  if (!build) {
    const facts = { mrTd: registers.mrTd, composeHash, listVersion: release.version }
    throw new ServiceError('measurement_unknown', 'this enclave build is not in the published release', facts)
  }
  if (appId !== build.appId) {
    const facts = { build: build.name, appId, published: build.appId }
    throw new ServiceError('app_id_mismatch', 'the enclave runs under another app id than the published one', facts)
  }
  checkKeyProvider(keyProvider, build)
  return build
}

/** What dstack and the simulation call providers that serve one machine and that its host controls. */
const developmentProviders = ['simulated', 'local-sgx']

/** dstack names `none` and `tpm` without an id: nobody can be pinned, so they count as no key service. */
function checkKeyProvider(found: KeyProvider | null, { name, simulated, keyProvider }: EnclaveBuild): void {
  const facts = { build: name, provider: found?.name ?? null, id: found?.id ?? null }
  if (found === null || found.name === 'none' || found.id === '0x') {
    throw new ServiceError('key_provider_missing', 'the boot names no key service that holds the sealing key', facts)
  }
  if (found.name === keyProvider.name && found.id === keyProvider.id) return
  if (!simulated && developmentProviders.includes(found.name)) {
    throw new ServiceError('key_provider_development', 'the sealing key comes from a development provider', facts)
  }
  throw new ServiceError('key_provider_mismatch', 'another key service than the published one has the keys', facts)
}

/** The published coordinator build of this verified report. Throws `measurement_unknown`, `tcb_not_allowed` or `platform_not_allowed`. */
export function checkCoordinatorBuild(verdict: SnpVerdict, release: MeasurementRelease): CoordinatorBuild {
  const { measurement, hostData } = verdict
  const measured = release.coordinators.filter((known) => known.measurement === measurement)
  const build = measured.find((known) => known.hostData === hostData)
  if (!build) {
    const facts = { measurement, hostData, listVersion: release.version }
    const isOther = measured.length > 0
    const reason = isOther ? 'was started with other host data than published' : 'is not in the published release'
    throw new ServiceError('measurement_unknown', `this coordinator build ${reason}`, facts)
  }
  checkSnpPolicy(verdict, { minTcb: build.minTcb, vmpl: build.vmpl })
  return build
}
