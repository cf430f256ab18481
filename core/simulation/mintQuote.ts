import { p256 } from '@noble/curves/p256'
import { sha256 } from '@noble/hashes/sha2'
import { concatBytes, fromHex, type Hex } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import { simulatedMeasurements, simulatedPlatform } from './platform.js'
import type { QuoteToMint, TdxQuoteKeys } from './types.js'

const zeros = (length: number) => new Uint8Array(length)
const septVeDisable = '0x0000001000000000'

/**
 * Mints a structurally real quote: the attestation key signs the body, the PCK signs the quoting enclave's report.
 * It verifies only under the development root, and proves nothing about hardware.
 */
export function mintQuote(quote: QuoteToMint, keys: TdxQuoteKeys): Uint8Array {
  return createQuotingEnclave(keys, quote.qe)(quote)
}

/** Like a real one, it has its own report signed once; each quote then takes one signature by the attestation key. */
export function createQuotingEnclave(keys: TdxQuoteKeys, qe: QuoteToMint['qe'] = {}) {
  const attestationKey = p256.getPublicKey(fromHex(keys.attestationPrivateKey, 32), false).subarray(1)
  const authData = sha256(new TextEncoder().encode('perigee simulated QE'))
  const report = qeReport(qe, sha256(concatBytes(attestationKey, authData)))
  const chain = new TextEncoder().encode(`${keys.pckChain}\0`)
  const certification = concatBytes(
    report,
    signRaw(keys.pckPrivateKey, report),
    uint(authData.length, 2),
    authData,
    uint(5, 2),
    uint(chain.length, 4),
    chain,
  )
  return (quote: Omit<QuoteToMint, 'qe'>): Uint8Array => {
    const version = quote.version ?? 4
    const signed = concatBytes(header(version), body(quote, version))
    const signature = signRaw(keys.attestationPrivateKey, signed)
    const auth = concatBytes(signature, attestationKey, uint(6, 2), uint(certification.length, 4), certification)
    return concatBytes(signed, uint(auth.length, 4), auth)
  }
}

function header(version: 4 | 5): Uint8Array {
  const vendor = fromHex('0x939a7233f79c4ca9940a0db3957f0607')
  return concatBytes(uint(version, 2), uint(2, 2), uint(0x81, 4), zeros(4), vendor, zeros(20))
}

function body(quote: QuoteToMint, version: 4 | 5): Uint8Array {
  if (!(quote.reportData instanceof Uint8Array) || quote.reportData.length !== 64) {
    throw new ServiceError('parse_failed', 'REPORTDATA has 64 bytes')
  }
  const digest = (value: Hex | undefined) => (value === undefined ? zeros(48) : fromHex(value, 48))
  const { mrTd, rtmr0, rtmr1, rtmr2, rtmr3 } = { ...simulatedMeasurements, ...quote }
  const report10 = concatBytes(
    fromHex(quote.teeTcbSvn ?? simulatedPlatform.teeTcbSvn, 16),
    digest(quote.mrSeam),
    digest(quote.mrSignerSeam),
    fromHex(quote.seamAttributes ?? '0x0000000000000000', 8),
    fromHex(quote.tdAttributes ?? septVeDisable, 8),
    fromHex(quote.xfam ?? '0xe702060000000000', 8),
    ...[mrTd, quote.mrConfigId, quote.mrOwner, quote.mrOwnerConfig, rtmr0, rtmr1, rtmr2, rtmr3].map(digest),
    quote.reportData,
  )
  if (version === 4) return report10
  if (quote.tdReportVersion === '1.0') return concatBytes(uint(2, 2), uint(report10.length, 4), report10)
  const report15 = concatBytes(
    report10,
    fromHex(quote.teeTcbSvn2 ?? quote.teeTcbSvn ?? simulatedPlatform.teeTcbSvn, 16),
    digest(quote.mrServiceTd),
  )
  if (quote.tdReportVersion !== '1.5ex') return concatBytes(uint(3, 2), uint(report15.length, 4), report15)
  const report15ex = concatBytes(report15, zeros(237))
  report15ex.set(digest(quote.initServerTdHash), 729)
  report15ex.set(digest(quote.currServerTdHash), 829)
  return concatBytes(uint(4, 2), uint(report15ex.length, 4), report15ex)
}

/** An SGX report of 384 bytes whose data vouches for the attestation key. */
function qeReport(given: QuoteToMint['qe'], keyHash: Uint8Array): Uint8Array {
  const qe = { ...simulatedPlatform.qe, ...given }
  const report = zeros(384)
  report.set(fromHex(qe.miscSelect, 4), 16)
  report.set(fromHex(qe.attributes, 16), 48)
  report.set(fromHex(qe.mrSigner, 32), 128)
  report.set(uint(qe.isvProdId, 2), 256)
  report.set(uint(qe.isvSvn, 2), 258)
  report.set(keyHash, 320)
  return report
}

/** r || s of an ECDSA P-256 signature over SHA-256. */
function signRaw(privateKey: Hex, data: Uint8Array): Uint8Array {
  return p256.sign(sha256(data), fromHex(privateKey)).toCompactRawBytes()
}

function uint(value: number, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** i) % 256)
}
