import { z } from 'zod'
import { hexOf, hexUpTo } from '../bytes/hexSchema.js'
import { tcbStatuses } from '../tdx/types.js'
import { snpTcbSchema } from './snpTcbSchema.js'

const list = <T extends z.ZodType>(item: T) => z.array(item).max(1000)

/**
 * Which valid quotes may be acted on: their TCB and their platform. Builds are for `checkEnclaveBuild`. Absent members mean
 * the strictest choice, except for the list of platforms and the number of the evaluation data, which then limit nothing.
 */
export const quotePolicySchema = z.strictObject({
  /** `UpToDate` alone when left out. Of a TD report 1.5, of the launch and of what runs now. */
  tcbStatuses: list(z.enum(tcbStatuses)).optional(),
  /** Advisories that may be open when the status is not `UpToDate`; any other advisory refuses. None when left out. */
  allowedAdvisoryIds: list(z.string()).optional(),
  /** `OutOfDate…` and `TDRelaunchAdvised…` pass until this second if `tcbStatuses` lists them. Not at all when left out. */
  outOfDateUntil: z.int().optional(),
  /** No rollback to collateral older than this recovery. */
  minTcbEvaluationDataNumber: z.int().optional(),
  /** Any platform when left out; PPIDs otherwise. */
  ppids: list(hexUpTo(8192)).optional(),
})

/** Which valid reports may be acted on. Builds are for `checkCoordinatorBuild`. */
export const snpPolicySchema = z.strictObject({
  /** Chip ids as the certificate names them (64 bytes, 8 on Turin). A VLEK names none and is refused. */
  chipIds: list(hexUpTo(8192)).optional(),
  /** Each part of the reported, committed and launch TCB must reach this. */
  minTcb: snpTcbSchema.optional(),
  vmpl: z.int().min(0).max(3).optional(),
  hostData: hexOf(32).optional(),
  /** Refuse a chip whose firmware in use is newer than the committed one, since that can be rolled back. */
  refuseProvisionalFirmware: z.boolean().optional(),
})

export type QuotePolicy = z.infer<typeof quotePolicySchema>
export type SnpPolicy = z.infer<typeof snpPolicySchema>
