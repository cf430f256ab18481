import { equalBytes, toHex, type UnixSeconds } from '../bytes/index.js'
import { ServiceError, withCodeAsync } from '../errors/index.js'
import { createVerifiedCache, isEcdsaSigned, parseCertificate, requireTime, tidyPem } from '../x509/index.js'
import { authenticateCollateral, trustedRoot } from './collateral/authenticateCollateral.js'
import { checkCollateralTime } from './collateral/checkCollateralTime.js'
import { checkTdAttributes } from './quote/checkTdAttributes.js'
import { readCollateral, type QuoteCollateral } from './collateral/parseQuoteCollateral.js'
import { describeCollateral } from './collateral/verifyCollateral.js'
import { readPckExtension, type PckExtension } from './quote/readPckExtension.js'
import { matchQeIdentity } from './quote/matchQeIdentity.js'
import { parseQuoteParts, pckChainOf, refuseTrailing, type QuoteParts } from './quote/parseQuoteParts.js'
import type { TcbInfo } from './collateral/parseTcbInfo.js'
import { evaluateTcb } from './quote/evaluateTcb.js'
import type { ParsedQuote, QuoteVerdict } from './types.js'
import { authenticatePck, checkPckTime, verifyAttestationKey } from './quote/authenticatePck.js'

/**
 * Verifies a TDX quote (version 4 or 5) offline, as of `now`, under the root the caller trusts. Throws a ServiceError.
 *
 * The first fault in this order names the code: form, collateral signatures, collateral windows, certificates, CRLs,
 * PCK chain and revocation, quoting enclave, quote signature, platform match, TCB level and module, TD attributes, bytes after the end.
 * A quote carries no time: the verdict says that the platform was sound by this collateral, not when it quoted.
 */
export async function verifyQuote(
  quote: Uint8Array,
  collateral: QuoteCollateral,
  root: Uint8Array,
  now: UnixSeconds,
): Promise<QuoteVerdict> {
  // Every fault in the input has its own code. This one would be a bug of ours, and the tests look for it.
  return withCodeAsync('internal_error', 'the quote verifier failed', async () => {
    requireTime(now)
    const parts = parseQuoteParts(quote)
    const anchor = await trustedRoot(root)
    // Signature checks run on other threads, so all of them start now. Faults are still reported in the order above.
    const pckTask = authenticatePck(pckPemFor(parts, collateral), anchor)
    const keyTask = pckTask.then((found) => verifyAttestationKey(parts, found))
    const signedTask = keyTask.then((key) => isEcdsaSigned(key, 'SHA-256', parts.signed, parts.signature))
    for (const task of [pckTask, keyTask, signedTask]) task.catch(() => undefined) // awaited below, if we get there

    const authentic = await authenticateCollateral(collateral, anchor)
    checkCollateralTime(authentic, now)
    const pck = await pckTask
    checkPckTime(pck, authentic, now)
    await keyTask
    const qeLevel = matchQeIdentity(parts.qeReport, authentic.qeIdentity)
    if (!(await signedTask)) {
      throw new ServiceError('quote_signature', 'the attestation key did not sign this quote')
    }
    checkPlatform(pck.extension, authentic.tcbInfo)
    const tcb = evaluateTcb(parts, pck.extension, authentic.tcbInfo, qeLevel)
    checkTdAttributes(parts.report)
    refuseTrailing(parts)

    const { tcbEvaluationDataNumber, issuedAt, expiresAt } = describeCollateral(authentic)
    return {
      ...describe(parts, pck.extension, pck.authority.commonName),
      ...tcb,
      tcbEvaluationDataNumber,
      rootFingerprint: anchor.fingerprint,
      verifiedAt: now,
      collateralIssuedAt: issuedAt,
      collateralExpiresAt: Math.min(expiresAt, pck.leaf.notAfter + 1, pck.authority.notAfter + 1),
    }
  })
}

/** Parses a quote without verifying it, to learn which collateral it needs. Throws `parse_failed`. */
export function parseQuote(quote: Uint8Array): ParsedQuote {
  const parts = parseQuoteParts(quote)
  refuseTrailing(parts)
  const { pckChain, extension, authority } = readPckChain(parts)
  return { ...describe(parts, extension, authority), pckChain }
}

interface PckChain {
  pckChain: Uint8Array[]
  extension: PckExtension
  authority: string
}

/** What PCK chains say. Not verified. One platform has the same chain in every quote. */
const pckChains = createVerifiedCache<PckChain>(128)

function readPckChain(parts: QuoteParts): PckChain {
  const pem = parts.pckChainPem ?? ''
  const known = pckChains.get(pem)
  if (known) return known
  const pckChain = pckChainOf(parts)
  const [leaf, authority] = pckChain.map(parseCertificate)
  if (!leaf || !authority) throw new ServiceError('parse_failed', 'the quote’s PCK chain is too short')
  const read = { pckChain, extension: readPckExtension(leaf), authority: authority.commonName }
  pckChains.set(pem, read)
  return read
}

/**
 * The chain inside the quote. Collateral's own `pck_certificate_chain` is read only when the quote has none (it then
 * names its PCK by PPID); either way the chain must lead to the root and its key must have signed the QE report.
 */
function pckPemFor(parts: QuoteParts, collateral: QuoteCollateral): string {
  if (parts.pckChainPem !== undefined) return parts.pckChainPem
  const pem = readCollateral(collateral).pck_certificate_chain
  if (typeof pem !== 'string') throw new ServiceError('parse_failed', 'neither quote nor collateral has the PCK chain')
  return tidyPem(pem)
}

/** TCB info of another platform family, or another provisioning enclave, says nothing about this one. */
function checkPlatform(pck: PckExtension, info: TcbInfo): void {
  if (!equalBytes(pck.fmspc, info.fmspc)) {
    throw new ServiceError('fmspc_mismatch', 'the TCB info is for another platform family', {
      platform: toHex(pck.fmspc),
      tcbInfo: toHex(info.fmspc),
    })
  }
  if (!equalBytes(pck.pceId, info.pceId)) {
    throw new ServiceError('pce_id_mismatch', 'the TCB info is for another provisioning enclave', {
      platform: toHex(pck.pceId),
      tcbInfo: toHex(info.pceId),
    })
  }
}

function describe(parts: QuoteParts, pck: PckExtension, authority: string) {
  return {
    ...parts.report,
    quoteVersion: parts.version,
    tdReportVersion: parts.tdReportVersion,
    fmspc: toHex(pck.fmspc),
    pceId: toHex(pck.pceId),
    ppid: pck.ppid,
    ...(pck.platformInstanceId === undefined ? {} : { platformInstanceId: pck.platformInstanceId }),
    ca: authority.includes('Processor') ? ('processor' as const) : ('platform' as const),
  }
}
