import { fromHex, parseStrictJson, toHex } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import type { QuoteCollateral } from '../types.js'

/** Collateral with bytes as bytes. */
export interface CollateralParts {
  pckCrlIssuerChain: string
  rootCaCrl: Uint8Array
  pckCrl: Uint8Array
  tcbInfoIssuerChain: string
  tcbInfo: string
  tcbInfoSignature: Uint8Array
  qeIdentityIssuerChain: string
  qeIdentity: string
  qeIdentitySignature: Uint8Array
  pckCertificateChain: string | undefined
}

const maxText = 512 * 1024
const maxBytes = 1024 * 1024

/** Reads collateral from a JSON text (members named twice refused) or a value. Throws `parse_failed`. Verifies nothing. */
export function parseQuoteCollateral(value: unknown): QuoteCollateral {
  const parts = readCollateral(typeof value === 'string' ? parseStrictJson(value, { maxLength: 8 * maxBytes }) : value)
  const plain = (bytes: Uint8Array) => toHex(bytes).slice(2)
  return {
    pck_crl_issuer_chain: parts.pckCrlIssuerChain,
    root_ca_crl: plain(parts.rootCaCrl),
    pck_crl: plain(parts.pckCrl),
    tcb_info_issuer_chain: parts.tcbInfoIssuerChain,
    tcb_info: parts.tcbInfo,
    tcb_info_signature: plain(parts.tcbInfoSignature),
    qe_identity_issuer_chain: parts.qeIdentityIssuerChain,
    qe_identity: parts.qeIdentity,
    qe_identity_signature: plain(parts.qeIdentitySignature),
    ...(parts.pckCertificateChain === undefined ? {} : { pck_certificate_chain: parts.pckCertificateChain }),
  }
}

export function readCollateral(value: unknown): CollateralParts {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail('collateral', 'an object')
  const members = value as Partial<Record<keyof QuoteCollateral, unknown>>
  const optional = members.pck_certificate_chain
  return {
    pckCrlIssuerChain: text(members.pck_crl_issuer_chain, 'pck_crl_issuer_chain'),
    rootCaCrl: bytes(members.root_ca_crl, 'root_ca_crl'),
    pckCrl: bytes(members.pck_crl, 'pck_crl'),
    tcbInfoIssuerChain: text(members.tcb_info_issuer_chain, 'tcb_info_issuer_chain'),
    tcbInfo: text(members.tcb_info, 'tcb_info'),
    tcbInfoSignature: bytes(members.tcb_info_signature, 'tcb_info_signature'),
    qeIdentityIssuerChain: text(members.qe_identity_issuer_chain, 'qe_identity_issuer_chain'),
    qeIdentity: text(members.qe_identity, 'qe_identity'),
    qeIdentitySignature: bytes(members.qe_identity_signature, 'qe_identity_signature'),
    pckCertificateChain:
      optional === undefined || optional === null ? undefined : text(optional, 'pck_certificate_chain'),
  }
}

function text(value: unknown, name: string): string {
  if (typeof value !== 'string' || value.length > maxText || !value.isWellFormed())
    fail(name, `a text of at most ${maxText} characters`)
  return value
}

function bytes(value: unknown, name: string): Uint8Array {
  if (typeof value === 'string') {
    if (value.length > 2 * maxBytes) fail(name, `hex of at most ${maxBytes} bytes`)
    if (!/^(?:0x)?(?:[0-9a-fA-F]{2})*$/.test(value)) fail(name, 'hex')
    return fromHex(value.startsWith('0x') ? value : `0x${value}`)
  }
  const isByte = (item: unknown) => Number.isInteger(item) && (item as number) >= 0 && (item as number) <= 255
  if (!Array.isArray(value) || value.length > maxBytes || !value.every(isByte)) fail(name, 'hex or an array of bytes')
  return Uint8Array.from(value as number[])
}

function fail(name: string, wanted: string): never {
  throw new ServiceError('parse_failed', `${name} is not ${wanted}`, { member: name })
}
