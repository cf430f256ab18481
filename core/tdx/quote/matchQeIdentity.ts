import { equalBytes } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import type { QeIdentity, QeLevel } from '../collateral/parseQeIdentity.js'
import type { QeReport } from './parseQuoteParts.js'

const sgxDebug = 0x02

/** Throws `qe_identity` unless the report is of the enclave that Intel describes. Returns the level its SVN reaches. */
export function matchQeIdentity(report: QeReport, identity: QeIdentity): QeLevel {
  if (!isMasked(report.miscSelect, identity.miscselectMask, identity.miscselect)) fail('MISCSELECT')
  if (!isMasked(report.attributes, identity.attributesMask, identity.attributes)) fail('ATTRIBUTES')
  // The identity's mask covers the debug bit today; a debuggable quoting enclave is refused even if the mask did not.
  if ((report.attributes[0] as number) & sgxDebug) fail('ATTRIBUTES.DEBUG')
  if (!equalBytes(report.mrSigner, identity.mrsigner)) fail('MRSIGNER')
  if (report.isvProdId !== identity.isvprodid) fail('ISVPRODID')
  const level = identity.tcbLevels.find(({ tcb }) => report.isvSvn >= tcb.isvsvn)
  if (!level) {
    throw new ServiceError('tcb_not_supported', 'the quoting enclave is older than every level Intel lists', {
      isvSvn: report.isvSvn,
    })
  }
  return level
}

function isMasked(value: Uint8Array, mask: Uint8Array, wanted: Uint8Array): boolean {
  return value.every((byte, i) => (byte & (mask[i] as number)) === wanted[i])
}

function fail(field: string): never {
  throw new ServiceError('qe_identity', `the quoting enclave’s ${field} is not the one Intel publishes`, { field })
}
