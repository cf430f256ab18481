import { toHex } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'

/** The parts of AMD's TCB_VERSION. `fmc` exists from Turin on. */
export interface SnpTcb {
  bootloader: number
  tee: number
  snp: number
  microcode: number
  fmc?: number
}

export type SnpProduct = 'Milan' | 'Genoa' | 'Turin'

// AMD SEV-SNP Firmware ABI Specification (56860), table "ATTESTATION_REPORT Structure".
const snpReportLength = 0x4a0
const signatureOffset = 0x2a0
const signaturePart = 72
const ecdsaP384Sha384 = 1

/** A report in parts, as views into it. Nothing is verified yet. */
export type SnpReportParts = ReturnType<typeof parseSnpReportParts>

/** Splits a report into its parts. Versions 2 to 5; what decides the layout and the signature is checked here. */
export function parseSnpReportParts(input: unknown) {
  if (!(input instanceof Uint8Array) || input.length !== snpReportLength) {
    fail(`a report has ${snpReportLength} bytes`)
  }
  const report = Uint8Array.from(input) // a copy: what is verified cannot change while we wait for a signature check
  const view = new DataView(report.buffer, report.byteOffset, report.byteLength)
  const field = (start: number, end: number) => toHex(report.subarray(start, end))
  const version = view.getUint32(0, true)
  if (version < 2 || version > 5) fail(`report version ${version}`)
  if (view.getUint32(0x34, true) !== ecdsaP384Sha384) fail('the report is not signed with ECDSA P-384')
  return {
    version,
    policy: view.getBigUint64(8, true),
    currentTcb: report.subarray(0x38, 0x40),
    reportedTcb: report.subarray(0x180, 0x188),
    /** Family and model of the CPU, from version 3 on. */
    cpu: version >= 3 ? { family: report[0x188] as number, model: report[0x189] as number } : undefined,
    chipId: report.subarray(0x1a0, 0x1e0),
    committedTcb: report.subarray(0x1e0, 0x1e8),
    launchTcb: report.subarray(0x1f0, 0x1f8),
    /** What a verdict takes over from the report as it is. */
    fields: {
      guestSvn: view.getUint32(4, true),
      familyId: field(0x10, 0x20),
      imageId: field(0x20, 0x30),
      vmpl: view.getUint32(0x30, true),
      signingKey: readSigningKey((view.getUint32(0x48, true) >> 2) & 7),
      reportData: field(0x50, 0x90),
      measurement: field(0x90, 0xc0),
      hostData: field(0xc0, 0xe0),
      idKeyDigest: field(0xe0, 0x110),
      authorKeyDigest: field(0x110, 0x140),
      reportId: field(0x140, 0x160),
      reportIdMa: field(0x160, 0x180),
    },
    signed: report.subarray(0, signatureOffset),
    /** r || s, big-endian. */
    signature: readSignature(report),
    bytes: report,
  }
}

function readSigningKey(value: number): 'VCEK' | 'VLEK' {
  if (value === 0) return 'VCEK'
  if (value === 1) return 'VLEK'
  return fail('the report is signed by no key, or by an unknown one')
}

/** AMD stores r and s little-endian in 72 bytes each; the number has 48. The rest must be zero. */
function readSignature(report: Uint8Array): Uint8Array {
  const signature = new Uint8Array(96)
  for (const part of [0, 1]) {
    const start = signatureOffset + part * signaturePart
    if (report.subarray(start + 48, start + signaturePart).some((byte) => byte !== 0)) {
      throw new ServiceError('report_signature', 'the signature has parts longer than 384 bits')
    }
    signature.set(report.slice(start, start + 48).reverse(), part * 48)
  }
  return signature
}

const reserved: readonly [number, number][] = [
  [0x4c, 0x50],
  [0x1eb, 0x1ec],
  [0x1ef, 0x1f0],
  [0x208, signatureOffset],
  [signatureOffset + 2 * signaturePart, snpReportLength],
]

/**
 * Reserved fields are zero. Checked after the signature, so that a tampered report is reported as tampered; what follows
 * the signature is unsigned, and a report must not have two forms.
 */
export function checkReserved(report: SnpReportParts): void {
  const { bytes, version } = report
  const ranges = [
    ...reserved,
    [version >= 3 ? 0x18b : 0x188, 0x1a0] as const,
    ...(version >= 5 ? [] : [[0x1f8, 0x208] as const]), // mitigation vectors from version 5 on
  ]
  for (const [start, end] of ranges) {
    if (bytes.subarray(start, end).some((byte) => byte !== 0)) fail(`reserved bytes at ${start} are set`)
  }
  if ((bytes[0x48] as number) >> 5 !== 0 || bytes.subarray(0x49, 0x4c).some((byte) => byte !== 0)) {
    fail('reserved flags are set')
  }
  if (!((report.policy >> 17n) & 1n) || report.policy >> 26n) fail('reserved bits of the guest policy are wrong')
}

/** The parts of a TCB_VERSION. Turin moved them and put the FMC first. Bytes between are reserved: see `reservedTcb`. */
export function readTcb(bytes: Uint8Array, product: SnpProduct): SnpTcb {
  const at = (index: number) => bytes[index] as number
  if (product === 'Turin') return { fmc: at(0), bootloader: at(1), tee: at(2), snp: at(3), microcode: at(7) }
  return { bootloader: at(0), tee: at(1), snp: at(6), microcode: at(7) }
}

export function reservedTcb(bytes: Uint8Array, product: SnpProduct): Uint8Array {
  return product === 'Turin' ? bytes.subarray(4, 7) : bytes.subarray(2, 6)
}

function fail(message: string): never {
  throw new ServiceError('parse_failed', message)
}
