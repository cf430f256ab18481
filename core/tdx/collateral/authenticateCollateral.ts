import { sha256 } from '@noble/hashes/sha2'
import { toHex, type Hex } from '../../bytes/index.js'
import { ServiceError, type ErrorCode } from '../../errors/index.js'
import {
  createVerifiedCache,
  importKey,
  isEcdsaSigned,
  parseCertificate,
  parseCrl,
  parsePem,
  tidyPem,
  verifyChain,
  verifyCrl,
  verifyRoot,
  type Certificate,
  type Crl,
} from '../../x509/index.js'
import {
  collateralMembers,
  readCollateral,
  type CollateralParts,
  type QuoteCollateral,
} from './parseQuoteCollateral.js'
import { parseQeIdentity } from './parseQeIdentity.js'
import { parseTcbInfo } from './parseTcbInfo.js'

/** Collateral whose every signature leads to the root. Whether it is fresh depends on the time: `checkCollateralTime`. */
export type AuthenticCollateral = Awaited<ReturnType<typeof authenticate>>

/** The root that the caller trusts, and its SHA-256. */
export interface TrustedRoot {
  root: Certificate
  fingerprint: Hex
}

const roots = createVerifiedCache<TrustedRoot>(16)
const authentic = createVerifiedCache<AuthenticCollateral>(32)

/** Cached, because callers use the same root every time. */
export async function trustedRoot(bytes: unknown): Promise<TrustedRoot> {
  const key = bytes instanceof Uint8Array && bytes.length <= 64 * 1024 ? toHex(sha256(bytes)) : undefined
  const known = key === undefined ? undefined : roots.get(key)
  if (known) return known
  const root = await verifyRoot(bytes)
  const result = { root, fingerprint: toHex(sha256(root.der)) }
  if (key !== undefined) roots.set(key, result)
  return result
}

/** Verifies everything about collateral that does not depend on the time. Successes are cached. */
export async function authenticateCollateral(
  collateral: QuoteCollateral,
  { root, fingerprint }: TrustedRoot,
): Promise<AuthenticCollateral> {
  const key = cacheKey(collateral, fingerprint)
  const known = key === undefined ? undefined : authentic.get(key)
  if (known) return known
  const result = await authenticate(readCollateral(collateral), root)
  if (key !== undefined) authentic.set(key, result)
  return result
}

/** The parts are independent, so they are verified concurrently. */
async function authenticate(parts: CollateralParts, root: Certificate) {
  const signers = createSigners(root)
  const [tcb, qe, rootCrl, pck] = await inOrder(
    verifySigned('tcb_info', parts, signers, parseTcbInfo),
    verifySigned('qe_identity', parts, signers, parseQeIdentity),
    verifyRootCrl(parts.root_ca_crl, root),
    verifyPckCrl(parts.pck_crl, parts.pck_crl_issuer_chain, root),
  )
  return {
    root,
    rootCrl,
    tcbInfo: tcb.value,
    qeIdentity: qe.value,
    tcbSigner: tcb.signer,
    qeSigner: qe.signer,
    ...pck,
  }
}

interface Signer {
  certificate: Certificate
  /** Rejects unless the certificate may sign collateral. */
  verified: Promise<Certificate>
}

/** Signers by the text of their chains. Intel signs TCB info and QE identity with one key: its chain is verified once. */
function createSigners(root: Certificate): (pem: string) => Signer {
  const known = new Map<string, Signer>()
  return (pem) => {
    const earlier = known.get(pem)
    if (earlier) return earlier
    const certificates = parsePem(tidyPem(pem)).map(parseCertificate)
    const signer = { certificate: certificates[0] as Certificate, verified: verifySigner(certificates, root) }
    known.set(pem, signer)
    return signer
  }
}

/** Parses a text after its signature is verified, so that a changed text is reported as changed, whatever else is wrong. */
async function verifySigned<T>(
  name: 'tcb_info' | 'qe_identity',
  parts: CollateralParts,
  signers: (pem: string) => Signer,
  parse: (text: string) => T,
) {
  const text = parts[name]
  const signature = `${name}_signature` as const // names the member, and the code when it is wrong
  const { certificate, verified } = signers(parts[`${name}_issuer_chain`])
  const [signer] = await inOrder(verified, verifyText(certificate, text, parts[signature], signature))
  return { signer, value: parse(text) }
}

/** RFC 5280 5.2.1 and 5.2.3 ask for both of every CRL, and Intel's library refuses one without. */
const requiredOfCrl = { 'authority key id': '2.5.29.35', number: '2.5.29.20' }

function parseIntelCrl(der: Uint8Array): Crl {
  const crl = parseCrl(der)
  for (const [name, oid] of Object.entries(requiredOfCrl)) {
    if (!crl.extensions.has(oid)) throw new ServiceError('crl_invalid', `a CRL has no ${name}`)
  }
  return crl
}

async function verifyRootCrl(der: Uint8Array, root: Certificate): Promise<Crl> {
  const crl = parseIntelCrl(der)
  await verifyCrl(crl, root)
  return crl
}

/** The list, and the PCK CA whose it is. */
async function verifyPckCrl(der: Uint8Array, pem: string, root: Certificate) {
  const pckCrl = parseIntelCrl(der)
  const certificates = parsePem(tidyPem(pem)).map(parseCertificate)
  const [pckCrlIssuer] = await inOrder(
    verifyPckAuthority(certificates, root),
    verifyCrl(pckCrl, certificates[0] as Certificate),
  )
  return { pckCrl, pckCrlIssuer }
}

/** The certificate that may sign TCB info: issued by the root itself, and named for that role. A PCK key is not one. */
async function verifySigner(certificates: Certificate[], root: Certificate): Promise<Certificate> {
  const links = await verifyChain(certificates, root, 'cert_chain')
  const signer = links[0] as Certificate
  const maySign = !signer.isCa && (signer.keyUsage === undefined || signer.keyUsage.digitalSignature)
  if (links.length !== 1 || !signer.commonName.includes('SGX TCB Signing') || !maySign) {
    throw new ServiceError('signer_role', 'collateral is signed by a certificate that has another role', {
      subject: signer.commonName,
    })
  }
  return signer
}

/** Intel signs the text as sent, so no byte of it may be reformatted. */
async function verifyText(signer: Certificate, text: string, signature: Uint8Array, code: ErrorCode): Promise<void> {
  const bytes = new TextEncoder().encode(text)
  const isRightKey = signer.publicKey.kind === 'P-256'
  if (!isRightKey || !(await isEcdsaSigned(importKey(signer.publicKey), 'SHA-256', bytes, signature))) {
    throw new ServiceError(code, 'the signature is not over this text')
  }
}

/** The CA of a CRL issuer chain: a PCK CA below the root. */
async function verifyPckAuthority(certificates: Certificate[], root: Certificate): Promise<Certificate> {
  const authority = certificates[0] as Certificate
  const links = await verifyChain(certificates, root, 'cert_chain')
  if (!authority.isCa) throw new ServiceError('cert_chain', 'the issuer of the PCK CRL is not a CA')
  if (links.length !== 1 || !isPckAuthority(authority)) {
    throw new ServiceError('crl_invalid', 'the PCK CRL is not issued by a PCK CA', { issuer: authority.commonName })
  }
  return authority
}

export function isPckAuthority(certificate: Certificate): boolean {
  return /SGX PCK (?:Processor|Platform) CA/.test(certificate.commonName)
}

const maxCached = 1024 * 1024

/** All members and the root, as one key. Undefined for malformed or very long collateral, which is not cached. */
function cacheKey(collateral: QuoteCollateral, fingerprint: string): string | undefined {
  if (typeof collateral !== 'object' || collateral === null) return undefined
  const values: string[] = [fingerprint]
  for (const member of collateralMembers) {
    const value = collateral[member]
    if (typeof value !== 'string' || value.length > maxCached) return undefined
    values.push(`${value.length}`, value) // the length, so that different members cannot make the same key
  }
  return values.join(':')
}

/** Waits for tasks that run at the same time. The first in the list that failed is the one whose fault is thrown. */
async function inOrder<T extends readonly Promise<unknown>[]>(...tasks: T) {
  await Promise.allSettled(tasks)
  return Promise.all(tasks) // all have settled by now, so the order of the list decides
}
