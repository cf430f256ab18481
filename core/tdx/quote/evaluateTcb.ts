import { fromHex, equalBytes } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import type { PckExtension } from './readPckExtension.js'
import type { QeLevel } from '../collateral/parseQeIdentity.js'
import type { QuoteParts } from './parseQuoteParts.js'
import type { ModuleIdentity, ModuleLevel, TcbInfo, TcbLevel } from '../collateral/parseTcbInfo.js'
import type { levelStatuses, QuoteVerdict, TcbStatus } from '../types.js'

type TcbVerdict = Pick<QuoteVerdict, 'tcbStatus' | 'advisoryIds' | 'tcbDate'>

/** Of what runs now, where the TD report says it. */
type CurrentTcb = Pick<QuoteVerdict, 'currentTcbStatus' | 'currentAdvisoryIds' | 'currentTcbDate'>

/**
 * Intel's TCB evaluation for a TD: platform level, TDX module identity and level, quoting enclave level, converged into
 * one status. A TD 1.5 report also says what runs now: that is evaluated too, and must be supported and not revoked.
 * Follows Intel's verification library of 2026: `TcbLevelCheck`, `EvaluateTcb`, `TDRelaunchCheck`. One refusal is our own: a current
 * level that is revoked where the launch's is not.
 */
export function evaluateTcb(parts: QuoteParts, pck: PckExtension, info: TcbInfo, qe: QeLevel): TcbVerdict & CurrentTcb {
  // The report names signer and attributes of the module at launch only, so the current one is known by its SVN alone.
  checkModule(parts, launchModule(parts, info))
  const launch = evaluateSvn(parts.teeTcbSvn, pck, info, qe)
  if (!parts.teeTcbSvn2) return launch
  const current = evaluateSvn(parts.teeTcbSvn2, pck, info, qe)
  return {
    ...launch,
    tcbStatus: adviseRelaunch(launch.tcbStatus, current.tcbStatus),
    currentTcbStatus: current.tcbStatus,
    currentAdvisoryIds: current.advisoryIds,
    currentTcbDate: current.tcbDate,
  }
}

/** The verdict on one TEE_TCB_SVN. */
function evaluateSvn(svn: Uint8Array, pck: PckExtension, info: TcbInfo, qe: QeLevel): TcbVerdict {
  const level = matchPlatform(svn, pck, info)
  const module = matchModule(svn, info)
  const components = module ? [module, qe] : [qe]
  const used = [level, ...components]
  if (level.tcbStatus === 'Revoked' || components.some(({ tcbStatus }) => tcbStatus === 'Revoked')) {
    throw new ServiceError('tcb_revoked', 'Intel revoked the TCB level of the platform, TDX module or quoting enclave')
  }
  const isOutdated = components.some(({ tcbStatus }) => tcbStatus === 'OutOfDate')
  return {
    tcbStatus: isOutdated ? outdated[level.tcbStatus] : level.tcbStatus,
    advisoryIds: [...new Set(used.flatMap((item) => item.advisoryIDs))].sort(),
    tcbDate: Math.min(...used.map((item) => item.tcbDate)),
  }
}

/** A platform's status when its module or quoting enclave is out of date. */
const outdated = {
  UpToDate: 'OutOfDate',
  SWHardeningNeeded: 'OutOfDate',
  ConfigurationNeeded: 'OutOfDateConfigurationNeeded',
  ConfigurationAndSWHardeningNeeded: 'OutOfDateConfigurationNeeded',
  OutOfDate: 'OutOfDate',
  OutOfDateConfigurationNeeded: 'OutOfDateConfigurationNeeded',
} as const satisfies Record<(typeof levelStatuses)[number], TcbStatus>

/** The first level that SGX components, PCE and TDX components reach. */
function matchPlatform(svn: Uint8Array, pck: PckExtension, info: TcbInfo): TcbLevel {
  // A module version above 0 has its own identity and levels: its first two bytes are compared there, not here.
  const from = (svn[1] as number) > 0 ? 2 : 0
  const level = info.tcbLevels.find(
    ({ tcb }) =>
      tcb.sgxtcbcomponents.every((wanted, i) => (pck.components[i] as number) >= wanted) &&
      pck.pceSvn >= tcb.pcesvn &&
      tcb.tdxtcbcomponents.every((wanted, i) => i < from || (svn[i] as number) >= wanted),
  )
  if (!level) throw new ServiceError('tcb_not_supported', 'the platform is older than every TCB level Intel lists')
  return level
}

/** The level of the TDX module; undefined for version 0, which the platform level covers. */
function matchModule(svn: Uint8Array, info: TcbInfo): ModuleLevel | undefined {
  const [isvSvn, version] = svn as unknown as [number, number]
  if (version === 0) return undefined
  const level = info.tdxModuleIdentities.get(moduleId(version))?.tcbLevels.find(({ tcb }) => isvSvn >= tcb.isvsvn)
  if (!level) {
    throw new ServiceError('tcb_not_supported', 'the TDX module is older than every level Intel lists, or not listed', {
      id: moduleId(version),
      isvSvn,
    })
  }
  return level
}

function moduleId(version: number): string {
  return `TDX_${version.toString(16).padStart(2, '0').toUpperCase()}`
}

function launchModule({ teeTcbSvn }: QuoteParts, info: TcbInfo): ModuleIdentity {
  const version = teeTcbSvn[1] as number
  if (version === 0) return info.tdxModule
  const id = moduleId(version)
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

const sound: readonly TcbStatus[] = [
  'UpToDate',
  'SWHardeningNeeded',
  'ConfigurationNeeded',
  'ConfigurationAndSWHardeningNeeded',
]

/** The TD was launched on something outdated, but what runs now is sound, so relaunching the TD fixes it. */
function adviseRelaunch(launch: TcbStatus, current: TcbStatus): TcbStatus {
  const isOutdated = launch === 'OutOfDate' || launch === 'OutOfDateConfigurationNeeded'
  if (!isOutdated || !sound.includes(current)) return launch
  const needsConfiguration = launch.includes('Configuration') || current.includes('Configuration')
  return needsConfiguration ? 'TDRelaunchAdvisedConfigurationNeeded' : 'TDRelaunchAdvised'
}
