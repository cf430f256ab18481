import { z } from 'zod'
import { parseSchema, ServiceError } from '../../errors/index.js'
import { levelStatuses } from '../types.js'
import { equalLevels, hexBytes, isDistinct, level, readHead, svnLevels, whole, window } from './fields.js'

const module = z.object({ mrsigner: hexBytes(48), attributes: hexBytes(8), attributesMask: hexBytes(8) })
export type ModuleIdentity = z.output<typeof module>

const listedModule = module.extend({
  id: z.string().max(256).toUpperCase(),
  tcbLevels: svnLevels,
})
type ListedModule = z.output<typeof listedModule>
export type ModuleLevel = ListedModule['tcbLevels'][number]

/** Exactly 16: fewer would leave part of the platform's SVN uncompared. */
const components = z.array(z.object({ svn: whole(0xff) }).transform(({ svn }) => svn)).length(16)
const platformLevel = z.object({
  ...level([...levelStatuses, 'Revoked']),
  tcb: z.object({ sgxtcbcomponents: components, tdxtcbcomponents: components, pcesvn: whole(0xffff) }),
})
export type TcbLevel = z.output<typeof platformLevel>
const svnsOf = ({ tcb }: TcbLevel) => [tcb.sgxtcbcomponents, tcb.pcesvn, tcb.tdxtcbcomponents].join()

/** Named as Intel names its members. */
const infoSchema = z.object({
  ...window,
  fmspc: hexBytes(6),
  pceId: hexBytes(2),
  /** How SVNs are composed and compared. Intel defines no other way than 0. */
  tcbType: z.literal(0),
  tdxModule: module,
  tdxModuleIdentities: z.array(listedModule).max(64).nullish(),
  tcbLevels: z
    .array(platformLevel)
    .max(1024)
    .refine((levels) => isDistinct(levels.map(svnsOf)), equalLevels),
})

/** Its levels are highest first, as Intel's library orders them. */
export interface TcbInfo extends Omit<z.output<typeof infoSchema>, 'tdxModuleIdentities'> {
  /** By upper-case id, `TDX_03`. */
  tdxModuleIdentities: ReadonlyMap<string, ListedModule>
}

/** Parses the text of TCB info version 3 for TDX. Check the text's signature first. */
export function parseTcbInfo(text: string): TcbInfo {
  const { value, id, version } = readHead(text, 'tcbInfo')
  if (id !== 'TDX' || version !== 3) {
    throw new ServiceError('tcb_info_mismatch', 'the TCB info is not version 3 for TDX', {
      id: String(id).slice(0, 16),
      version: String(version).slice(0, 16),
    })
  }
  const info: z.output<typeof infoSchema> = parseSchema(infoSchema, value, 'parse_failed', 'tcbInfo')
  const tdxModuleIdentities = new Map<string, ListedModule>()
  for (const identity of info.tdxModuleIdentities ?? []) {
    if (tdxModuleIdentities.has(identity.id)) {
      throw new ServiceError('parse_failed', 'a TDX module identity is listed twice', { id: identity.id })
    }
    tdxModuleIdentities.set(identity.id, identity)
  }
  return { ...info, tdxModuleIdentities, tcbLevels: info.tcbLevels.sort(compareLevels) }
}

/** Highest SGX components first, then PCE SVN, then TDX components: the order of Intel's own container. */
function compareLevels({ tcb: a }: TcbLevel, { tcb: b }: TcbLevel): number {
  return (
    compareDescending(a.sgxtcbcomponents, b.sgxtcbcomponents) ||
    b.pcesvn - a.pcesvn ||
    compareDescending(a.tdxtcbcomponents, b.tdxtcbcomponents)
  )
}

function compareDescending(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return (b[i] as number) - (a[i] as number)
  return 0
}
