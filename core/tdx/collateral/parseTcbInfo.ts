import { parseStrictJson, type Json, type UnixSeconds } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import { advisoriesOf, arrayOf, hexOf, integerOf, memberOf, objectOf, stringOf, timeOf } from './fields.js'

const levelStatuses = [
  'UpToDate',
  'SWHardeningNeeded',
  'ConfigurationNeeded',
  'ConfigurationAndSWHardeningNeeded',
  'OutOfDate',
  'OutOfDateConfigurationNeeded',
  'Revoked',
] as const
export type LevelStatus = (typeof levelStatuses)[number]
const moduleStatuses = ['UpToDate', 'OutOfDate', 'Revoked'] as const
export type ModuleStatus = (typeof moduleStatuses)[number]

export interface TcbLevel {
  sgxComponents: number[]
  tdxComponents: number[]
  pceSvn: number
  status: LevelStatus
  tcbDate: UnixSeconds
  advisoryIds: string[]
}

export interface ModuleIdentity {
  mrSigner: Uint8Array
  attributes: Uint8Array
  attributesMask: Uint8Array
}

export interface ModuleLevel {
  isvSvn: number
  status: ModuleStatus
  tcbDate: UnixSeconds
  advisoryIds: string[]
}

export interface TcbInfo {
  issueDate: UnixSeconds
  nextUpdate: UnixSeconds
  fmspc: Uint8Array
  pceId: Uint8Array
  tcbEvaluationDataNumber: number
  module: ModuleIdentity
  /** By upper-case id, `TDX_03`. */
  moduleIdentities: ReadonlyMap<string, ModuleIdentity & { levels: ModuleLevel[] }>
  /** Highest first, as Intel's library orders them. */
  levels: TcbLevel[]
}

/** Parses the text of TCB info version 3 for TDX. Check the text's signature first. */
export function parseTcbInfo(text: string): TcbInfo {
  const info = objectOf(parseStrictJson(text), 'tcbInfo')
  if (info['id'] !== 'TDX' || info['version'] !== 3) {
    throw new ServiceError('tcb_info_mismatch', 'the TCB info is not version 3 for TDX', {
      id: String(info['id']).slice(0, 16),
      version: String(info['version']).slice(0, 16),
    })
  }
  const moduleIdentities = new Map<string, ModuleIdentity & { levels: ModuleLevel[] }>()
  for (const item of arrayOf(info['tdxModuleIdentities'] ?? [], 'tdxModuleIdentities', 64)) {
    const identity = objectOf(item, 'tdxModuleIdentities[]')
    const id = stringOf(identity['id'], 'tdxModuleIdentities[].id').toUpperCase()
    if (moduleIdentities.has(id))
      throw new ServiceError('parse_failed', 'a TDX module identity is listed twice', { id })
    const levels = arrayOf(identity['tcbLevels'], 'tdxModuleIdentities[].tcbLevels', 256).map(parseModuleLevel)
    moduleIdentities.set(id, { ...parseModule(identity), levels: levels.sort((a, b) => b.isvSvn - a.isvSvn) })
  }
  return {
    issueDate: timeOf(info['issueDate'], 'issueDate'),
    nextUpdate: timeOf(info['nextUpdate'], 'nextUpdate'),
    fmspc: hexOf(info['fmspc'], 'fmspc', 6),
    pceId: hexOf(info['pceId'], 'pceId', 2),
    tcbEvaluationDataNumber: integerOf(info['tcbEvaluationDataNumber'], 'tcbEvaluationDataNumber', 0xffffffff),
    module: parseModule(objectOf(info['tdxModule'], 'tdxModule')),
    moduleIdentities,
    levels: arrayOf(info['tcbLevels'], 'tcbLevels', 1024).map(parseLevel).sort(compareLevels),
  }
}

function parseModule(value: { [key: string]: Json }): ModuleIdentity {
  return {
    mrSigner: hexOf(value['mrsigner'], 'mrsigner', 48),
    attributes: hexOf(value['attributes'], 'attributes', 8),
    attributesMask: hexOf(value['attributesMask'], 'attributesMask', 8),
  }
}

function parseModuleLevel(item: Json): ModuleLevel {
  const level = objectOf(item, 'tcbLevels[]')
  return {
    isvSvn: integerOf(objectOf(level['tcb'], 'tcb')['isvsvn'], 'isvsvn', 0xffff),
    status: memberOf(level['tcbStatus'], 'tcbStatus', moduleStatuses),
    tcbDate: timeOf(level['tcbDate'], 'tcbDate'),
    advisoryIds: advisoriesOf(level['advisoryIDs'], 'advisoryIDs'),
  }
}

function parseLevel(item: Json): TcbLevel {
  const level = objectOf(item, 'tcbLevels[]')
  const tcb = objectOf(level['tcb'], 'tcb')
  return {
    sgxComponents: parseComponents(tcb['sgxtcbcomponents'], 'sgxtcbcomponents'),
    tdxComponents: parseComponents(tcb['tdxtcbcomponents'], 'tdxtcbcomponents'),
    pceSvn: integerOf(tcb['pcesvn'], 'pcesvn', 0xffff),
    status: memberOf(level['tcbStatus'], 'tcbStatus', levelStatuses),
    tcbDate: timeOf(level['tcbDate'], 'tcbDate'),
    advisoryIds: advisoriesOf(level['advisoryIDs'], 'advisoryIDs'),
  }
}

function parseComponents(value: Json | undefined, name: string): number[] {
  const components = arrayOf(value, name, 16)
  // Fewer than 16 would leave part of the platform's SVN uncompared.
  if (components.length !== 16) throw new ServiceError('parse_failed', `${name} does not have 16 entries`)
  return components.map((item) => integerOf(objectOf(item, name)['svn'], 'svn', 0xff))
}

/** Highest SGX components first, then PCE SVN, then TDX components: the order of Intel's own container. */
function compareLevels(a: TcbLevel, b: TcbLevel): number {
  return (
    compareDescending(a.sgxComponents, b.sgxComponents) ||
    b.pceSvn - a.pceSvn ||
    compareDescending(a.tdxComponents, b.tdxComponents)
  )
}

function compareDescending(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return (b[i] as number) - (a[i] as number)
  return 0
}
