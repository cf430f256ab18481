import { fromHex } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import type { TdReport } from './parseQuoteParts.js'

// Intel TDX Module ABI, ATTRIBUTES: bit 0 DEBUG, 16 ICSSD, 27 LASS, 28 SEPT_VE_DISABLE, 30 PKS, 31 KL, 62 TPA, 63 PERFMON.
// None of those allowed lets a host read or steer the TD. Bit 29 lets it migrate to another host under a migration TD; we
// treat it as reserved, as we refuse service TDs altogether.
const debug = 1n
const septVeDisable = 1n << 28n
const allowed = [16n, 27n, 28n, 30n, 31n, 62n, 63n].reduce((mask, bit) => mask | (1n << bit), 0n)

/** Refuses a TD whose host could read or steer it, although the quote is authentic. */
export function checkTdAttributes(report: TdReport): void {
  const facts = { tdAttributes: report.tdAttributes }
  const attributes = fromHex(report.tdAttributes).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)
  if (attributes & debug) throw new ServiceError('td_debug', 'the TD runs in debug mode: its host can read it', facts)
  if (attributes & ~allowed)
    throw new ServiceError('td_reserved_attributes', 'the TD has reserved attributes set', facts)
  if (!(attributes & septVeDisable)) {
    throw new ServiceError('td_sept_ve_disable', 'the TD’s host can inject page faults: SEPT_VE_DISABLE is off', facts)
  }
  const { mrServiceTd, initServerTdHash, currServerTdHash } = report
  for (const [name, hash] of Object.entries({ mrServiceTd, initServerTdHash, currServerTdHash })) {
    if (hash === undefined || !/[^0x]/.test(hash)) continue
    throw new ServiceError('td_service_td', 'a service TD is or was bound to the TD', { [name]: hash })
  }
}
