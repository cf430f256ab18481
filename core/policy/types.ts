import type { Hex, UnixSeconds } from '../bytes/index.js'
import type { SnpTcb } from '../snp/index.js'
import type { TcbStatus } from '../tdx/index.js'

/** Measurements of one published build. Members left out are not compared; at least `mrTd` always is. */
export interface TdxMeasurements {
  mrTd: Hex
  rtmr0?: Hex
  rtmr1?: Hex
  rtmr2?: Hex
  rtmr3?: Hex
  mrConfigId?: Hex
  mrOwner?: Hex
  mrOwnerConfig?: Hex
}

/** Which valid quotes may be acted on. An absent member means the strictest choice, except for the allow-lists. */
export interface QuotePolicy {
  /** `UpToDate` alone when left out. Of a TD report 1.5, of the launch and of what runs now. */
  tcbStatuses?: readonly TcbStatus[]
  /** Advisories that may be open when the status is not `UpToDate`; any other advisory refuses. None when left out. */
  allowedAdvisoryIds?: readonly string[]
  /** `OutOfDate…` and `TDRelaunchAdvised…` pass until this second if `tcbStatuses` lists them. Not at all when left out. */
  outOfDateUntil?: UnixSeconds
  /** No rollback to collateral older than this recovery. */
  minTcbEvaluationDataNumber?: number
  /** Any build when left out (a verifier that checks measurements elsewhere); an empty list refuses every build. */
  measurements?: readonly TdxMeasurements[]
  /** Any platform when left out; PPIDs otherwise. */
  ppids?: readonly Hex[]
}

export interface SnpPolicy {
  measurements?: readonly Hex[]
  /** Chip ids as the certificate names them (64 bytes, 8 on Turin). A VLEK names none and is refused. */
  chipIds?: readonly Hex[]
  /** Each part of the reported, committed and launch TCB must reach this. */
  minTcb?: SnpTcb
  vmpl?: number
  hostData?: Hex
  /** Refuse a chip whose firmware in use is newer than the committed one, since that can be rolled back. */
  refuseProvisionalFirmware?: boolean
}
