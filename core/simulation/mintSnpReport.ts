import { p384 } from '@noble/curves/p384'
import { sha384 } from '@noble/hashes/sha2'
import { fromHex } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import type { SnpProduct, SnpTcb } from '../snp/index.js'
import { simulatedMeasurements } from './platform.js'
import type { SnpReportKeys, SnpReportToMint } from './types.js'

const cpuModels = { Milan: [0x19, 0x01, 0x01], Genoa: [0x19, 0x11, 0x01], Turin: [0x1a, 0x02, 0x01] } as const
/** SMT allowed, and the bit that is always set. */
const defaultPolicy = 0x30000n

/** Mints a structurally real SNP report, signed by the simulated chip's key. It proves nothing about hardware. */
export function mintSnpReport(spec: SnpReportToMint, keys: SnpReportKeys): Uint8Array {
  if (!(spec.reportData instanceof Uint8Array) || spec.reportData.length !== 64) {
    throw new ServiceError('parse_failed', 'REPORT_DATA has 64 bytes')
  }
  const product = keys.product ?? 'Milan'
  const version = spec.version ?? 3
  const report = new Uint8Array(0x4a0)
  const view = new DataView(report.buffer)
  view.setUint32(0, version, true)
  view.setBigUint64(8, spec.policy ?? defaultPolicy, true)
  view.setUint32(0x30, spec.vmpl ?? 0, true)
  view.setUint32(0x34, 1, true)
  view.setUint32(0x48, spec.signingKey === 'VLEK' ? 4 : 0, true)
  report.set([5], 0x40)
  report.set(spec.reportData, 0x50)
  report.set(fromHex(spec.measurement ?? simulatedMeasurements.snpMeasurement, 48), 0x90)
  report.set(fromHex(spec.hostData ?? simulatedMeasurements.snpHostData, 32), 0xc0)
  if (version >= 3) report.set(cpuModels[spec.cpu ?? product], 0x188)
  if (!spec.maskChipId) report.set(fromHex(keys.chipId), 0x1a0)
  for (const offset of [0x38, 0x180, 0x1e0, 0x1f0]) report.set(encodeTcb(spec.tcb ?? keys.tcb, product), offset)
  const signature = p384.sign(sha384(report.subarray(0, 0x2a0)), fromHex(keys.vekPrivateKey, 48)).toCompactRawBytes()
  report.set(signature.slice(0, 48).reverse(), 0x2a0)
  report.set(signature.slice(48).reverse(), 0x2a0 + 72)
  return report
}

function encodeTcb(tcb: SnpTcb, product: SnpProduct): Uint8Array {
  const { fmc = 0, bootloader, tee, snp, microcode } = tcb
  return product === 'Turin'
    ? Uint8Array.of(fmc, bootloader, tee, snp, 0, 0, 0, microcode)
    : Uint8Array.of(bootloader, tee, 0, 0, 0, 0, snp, microcode)
}
