import { equalBytes, fromHex, toHex, type Hex } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import { asciiOf, parsePem } from '../../x509/index.js'

// Intel TDX DCAP Quoting Library API, appendix A.3 (version 4) and A.4 (version 5); 1.5ex: Intel's sgx_quote_5.h.
const headerLength = 48
const reportLengths = { '1.0': 584, '1.5': 648, '1.5ex': 885 } as const
/** 1.5ex is 1.5 with what a service TD and a migration leave behind. */
export type TdReportVersion = keyof typeof reportLengths
/** By the type of a version 5 body. */
const reportVersions: Readonly<Record<number, TdReportVersion>> = { 2: '1.0', 3: '1.5', 4: '1.5ex' }
/** Start and length of the fields in a body. Each version begins with the whole of the one before it. */
const fields10 = {
  teeTcbSvn: [0, 16],
  mrSeam: [16, 48],
  mrSignerSeam: [64, 48],
  seamAttributes: [112, 8],
  tdAttributes: [120, 8],
  xfam: [128, 8],
  mrTd: [136, 48],
  mrConfigId: [184, 48],
  mrOwner: [232, 48],
  mrOwnerConfig: [280, 48],
  rtmr0: [328, 48],
  rtmr1: [376, 48],
  rtmr2: [424, 48],
  rtmr3: [472, 48],
  reportData: [520, 64],
} as const
const fields15 = { teeTcbSvn2: [584, 16], mrServiceTd: [600, 48] } as const
/** The service TD, or migration policy, of the TD's first host and of now. */
const fields15ex = { initServerTdHash: [729, 48], currServerTdHash: [829, 48] } as const

/** The TD's own measurements and settings, as the quote's body carries them. */
export type TdReport = Record<keyof typeof fields10, Hex> &
  Partial<Record<keyof typeof fields15 | keyof typeof fields15ex, Hex>>

const tdxTee = 0x81
const ecdsaP256 = 2
const intelQeVendor = fromHex('0x939a7233f79c4ca9940a0db3957f0607')
const qeReportCertification = 6
const pckChainCertification = 5
const maxQuote = 64 * 1024

/** Every part of a quote, as views into it. Nothing is verified yet. */
export type QuoteParts = ReturnType<typeof parseQuoteParts>
/** The quoting enclave's own SGX report, the fields that matter. */
export type QeReport = QuoteParts['qeReport']

/** Splits a quote into its parts; every length in it must fit exactly. */
export function parseQuoteParts(input: unknown) {
  if (!(input instanceof Uint8Array) || input.length > maxQuote) fail('a quote is at most 64 kilobytes')
  const quote = Uint8Array.from(input) // a copy: what is verified cannot change while we wait for a signature check
  const cursor = new Cursor(quote)
  const header = cursor.take(headerLength)
  const version = uint(header, 0, 2)
  if (version !== 4 && version !== 5) fail(`quote version ${version}`)
  if (uint(header, 2, 2) !== ecdsaP256) fail('attestation key is not ECDSA P-256')
  if (uint(header, 4, 4) !== tdxTee) fail('not a TDX quote')
  if (!equalBytes(header.subarray(12, 28), intelQeVendor)) fail('another quoting enclave vendor')

  const tdReportVersion = version === 4 ? '1.0' : readBodyType(cursor)
  const body = cursor.take(reportLengths[tdReportVersion])
  const signed = quote.subarray(0, cursor.offset)

  const auth = new Cursor(cursor.take(cursor.uint(4)))
  const trailing = cursor.rest()
  const signature = auth.take(64)
  const attestationKey = auth.take(64)
  if (auth.uint(2) !== qeReportCertification) fail('certification data is not a QE report')
  const certification = new Cursor(auth.take(auth.uint(4)))
  auth.finish()
  const qeReport = readQeReport(certification.take(384))
  const qeReportSignature = certification.take(64)
  const qeAuthData = certification.take(certification.uint(2))
  const kind = certification.uint(2)
  const data = certification.take(certification.uint(4))
  certification.finish()
  if (kind < 1 || kind > 5) fail(`certification data of kind ${kind}`)

  return {
    version: version as 4 | 5,
    tdReportVersion,
    report: readTdReport(body, tdReportVersion),
    teeTcbSvn: body.subarray(0, 16),
    teeTcbSvn2: tdReportVersion === '1.0' ? undefined : body.subarray(584, 600),
    /** What the attestation key signed: header and body. */
    signed,
    signature,
    /** x || y on P-256. */
    attestationKey,
    qeReport,
    qeReportSignature,
    qeAuthData,
    /** PEM text of the PCK chain; undefined when the quote identifies its PCK certificate in another way. */
    pckChainPem: kind === pckChainCertification ? asciiOf(data) : undefined,
    /** Bytes after the quote in its buffer; see `refuseTrailing`. */
    trailing,
  }
}

/**
 * Zeros after the quote's end are padding (kernel buffers have it). Anything else would let one quote have many forms.
 * These bytes are unsigned, so verification reports what is wrong with the quote itself first.
 */
export function refuseTrailing(parts: QuoteParts): void {
  if (parts.trailing.some((byte) => byte !== 0)) fail('there are bytes after the quote that are not padding')
}

/** DER of the PCK chain inside a quote, leaf first. */
export function pckChainOf(parts: QuoteParts): Uint8Array[] {
  if (parts.pckChainPem === undefined) fail('the quote does not carry its PCK certificate chain')
  return parsePem(parts.pckChainPem)
}

function readBodyType(cursor: Cursor): TdReportVersion {
  const type = cursor.uint(2)
  const size = cursor.uint(4)
  const tdReportVersion = reportVersions[type] ?? fail(`quote body of type ${type}`)
  if (size !== reportLengths[tdReportVersion]) fail('quote body of another size')
  return tdReportVersion
}

function readQeReport(bytes: Uint8Array) {
  return {
    bytes,
    miscSelect: bytes.subarray(16, 20),
    attributes: bytes.subarray(48, 64),
    mrSigner: bytes.subarray(128, 160),
    isvProdId: uint(bytes, 256, 2),
    isvSvn: uint(bytes, 258, 2),
    reportData: bytes.subarray(320, 384),
  }
}

function readTdReport(body: Uint8Array, version: TdReportVersion): TdReport {
  const fields = {
    ...fields10,
    ...(version === '1.0' ? {} : fields15),
    ...(version === '1.5ex' ? fields15ex : {}),
  }
  const values = Object.entries(fields).map(([name, [start, length]]) => [
    name,
    toHex(body.subarray(start, start + length)),
  ])
  return Object.fromEntries(values) as TdReport
}

/** Walks through bytes; reading past the end is `parse_failed`. */
class Cursor {
  offset = 0
  constructor(private readonly bytes: Uint8Array) {}

  take(length: number): Uint8Array {
    const end = this.offset + length
    if (end > this.bytes.length) fail('the quote is cut off, or a length in it is wrong')
    const part = this.bytes.subarray(this.offset, end)
    this.offset = end
    return part
  }

  uint(size: number): number {
    return uint(this.take(size), 0, size)
  }

  rest(): Uint8Array {
    return this.bytes.subarray(this.offset)
  }

  finish(): void {
    if (this.offset !== this.bytes.length) fail('bytes left over inside the quote')
  }
}

/** Little-endian, up to four bytes. */
function uint(bytes: Uint8Array, at: number, size: number): number {
  let value = 0
  for (let i = size - 1; i >= 0; i--) value = value * 256 + (bytes[at + i] as number)
  return value
}

function fail(message: string): never {
  throw new ServiceError('parse_failed', message)
}
