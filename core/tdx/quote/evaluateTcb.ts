import { fromHex, equalBytes, type UnixSeconds } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import type { PckExtension } from './readPckExtension.js'
import type { QeLevel } from '../collateral/parseQeIdentity.js'
import type { QuoteParts } from './parseQuoteParts.js'
import type { LevelStatus, ModuleIdentity, ModuleLevel, TcbInfo, TcbLevel } from '../collateral/parseTcbInfo.js'
import type { TcbStatus } from '../types.js'

export interface TcbVerdict {
  tcbStatus: TcbStatus
  advisoryIds: string[]
  tcbDate: UnixSeconds
}

type Status = TcbStatus | 'Revoked'

/**
 * Intel's TCB evaluation for a TD: platform level, TDX module identity and level, relaunch advice for TD 1.5, quoting
 * enclave level, converged into one status. Follows Intel's verification library, `TcbLevelCheck` and `TdxModuleCheck`.
 */
export function evaluateTcb(parts: QuoteParts, pck: PckExtension, info: TcbInfo, qe: QeLevel): TcbVerdict {
  const { sgxLevel, level } = matchPlatform(parts.teeTcbSvn, pck, info)
  const module = matchModule(parts, info)
  let status: Status = converge(level.tcbStatus, module?.tcbStatus)
  if (status === 'Revoked') refuseRevoked('platform or TDX module')
  if (parts.teeTcbSvn2 && module?.tcbStatus === 'OutOfDate' && qe.tcbStatus === 'UpToDate') {
    status = adviseRelaunch(parts.teeTcbSvn2, info, sgxLevel.tcbStatus, status)
  }
  // For the quoting enclave, anything that is neither up to date nor revoked counts as out of date.
  status = converge(status, qe.tcbStatus === 'UpToDate' || qe.tcbStatus === 'Revoked' ? qe.tcbStatus : 'OutOfDate')
  if (status === 'Revoked') refuseRevoked('quoting enclave')
  const used = module ? [level, module, qe] : [level, qe]
  return {
    tcbStatus: status,
    advisoryIds: [...new Set(used.flatMap((item) => item.advisoryIDs))].sort(),
    tcbDate: Math.min(...used.map((item) => item.tcbDate)),
  }
}

/** The first level that the SGX components and PCE reach, and the first that the TDX components reach as well. */
function matchPlatform(svn: Uint8Array, pck: PckExtension, info: TcbInfo): { sgxLevel: TcbLevel; level: TcbLevel } {
  // A module version above 0 has its own identity and levels: its first two bytes are compared there, not here.
  const from = (svn[1] as number) > 0 ? 2 : 0
  let sgxLevel: TcbLevel | undefined
  for (const level of info.tcbLevels) {
    const reachesSgx = level.tcb.sgxtcbcomponents.every((wanted, i) => (pck.components[i] as number) >= wanted)
    if (!reachesSgx || pck.pceSvn < level.tcb.pcesvn) continue
    sgxLevel ??= level
    if (level.tcb.tdxtcbcomponents.every((wanted, i) => i < from || (svn[i] as number) >= wanted))
      return { sgxLevel, level }
  }
  throw new ServiceError('tcb_not_supported', 'the platform is older than every TCB level Intel lists')
}

/** Throws `tdx_module_identity` unless Intel signed the TDX module. Returns its level; undefined for version 0. */
function matchModule(parts: QuoteParts, info: TcbInfo): ModuleLevel | undefined {
  const [isvSvn, version] = parts.teeTcbSvn as unknown as [number, number]
  if (version === 0) {
    checkModule(parts, info.tdxModule)
    return undefined
  }
  const identity = moduleIdentity(info, version)
  checkModule(parts, identity)
  const level = identity.tcbLevels.find(({ tcb }) => isvSvn >= tcb.isvsvn)
  if (!level) {
    throw new ServiceError('tcb_not_supported', 'the TDX module is older than every level Intel lists', { isvSvn })
  }
  return level
}

function moduleIdentity(info: TcbInfo, version: number) {
  const id = `TDX_${version.toString(16).padStart(2, '0').toUpperCase()}`
  const identity = info.tdxModuleIdentities.get(id)
  if (!identity) throw new ServiceError('tdx_module_identity', 'Intel lists no TDX module of this version', { id })
  return identity
}

function checkModule({ report }: QuoteParts, module: ModuleIdentity): void {
  if (!equalBytes(fromHex(report.mrSignerSeam), module.mrsigner)) {
    throw new ServiceError('tdx_module_identity', 'the TDX module is not signed by Intel', {
      mrSignerSeam: report.mrSignerSeam,
    })
  }
  // Intel's library wants the attributes equal and all zero: any bit would mean a module with another purpose.
  const attributes = fromHex(report.seamAttributes)
  const matches = attributes.every(
    (byte, i) => byte === 0 && ((module.attributes[i] as number) & (module.attributesMask[i] as number)) === 0,
  )
  if (!matches) {
    throw new ServiceError('tdx_module_identity', 'the TDX module has other attributes than Intel publishes', {
      seamAttributes: report.seamAttributes,
    })
  }
}

/** The platform's status made worse by a component's. */
function converge(status: Status, other: 'UpToDate' | 'OutOfDate' | 'Revoked' | undefined): Status {
  if (other === 'Revoked' || status === 'Revoked') return 'Revoked'
  if (other !== 'OutOfDate') return status
  if (status === 'UpToDate' || status === 'SWHardeningNeeded') return 'OutOfDate'
  if (status === 'ConfigurationNeeded' || status === 'ConfigurationAndSWHardeningNeeded') {
    return 'OutOfDateConfigurationNeeded'
  }
  return status
}

const configurationStatuses: readonly Status[] = [
  'ConfigurationNeeded',
  'ConfigurationAndSWHardeningNeeded',
  'OutOfDateConfigurationNeeded',
]

/** TD 1.5: an old module was in use at launch, but the one loaded now is the newest, so relaunching the TD fixes it. */
function adviseRelaunch(svn2: Uint8Array, info: TcbInfo, sgxStatus: LevelStatus, status: Status): Status {
  if (sgxStatus === 'OutOfDate' || sgxStatus === 'OutOfDateConfigurationNeeded' || sgxStatus === 'Revoked')
    return status
  if (status !== 'OutOfDate' && status !== 'OutOfDateConfigurationNeeded') return status
  const [isvSvn, version, late] = svn2 as unknown as [number, number, number]
  const latest = (info.tcbLevels[0] as TcbLevel).tcb.tdxtcbcomponents
  const wanted = version === 0 ? (latest[0] as number) : moduleIdentity(info, version).tcbLevels[0]?.tcb.isvsvn
  if (wanted === undefined) throw new ServiceError('tcb_not_supported', 'Intel lists no level of the TDX module')
  if (isvSvn < wanted || late < (latest[2] as number)) return status
  const needsConfiguration = configurationStatuses.includes(sgxStatus) || configurationStatuses.includes(status)
  return needsConfiguration ? 'TDRelaunchAdvisedConfigurationNeeded' : 'TDRelaunchAdvised'
}

function refuseRevoked(what: string): never {
  throw new ServiceError('tcb_revoked', `Intel revoked the TCB level of the ${what}`)
}
