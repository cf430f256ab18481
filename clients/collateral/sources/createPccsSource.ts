import { ServiceError } from '@perigee/core'
import { parseQuoteCollateral } from '@perigee/core/tdx'
import type { CollateralSource } from '../createCollateralSupply.js'
import { fetchCollateral } from './fetchCollateral.js'

interface PccsOptions {
  /** Base of a PCCS, or of Intel's own service, without `/sgx/certification/v4`. */
  url: string
  /** Where the root's CRL is, for services without `rootcacrl` (Intel's own has it at certificates.trustedservices.intel.com). */
  rootCrlUrl?: string
}

/** Collateral over HTTP (Intel PCS API version 4). The server is not trusted: the root's signatures are verified later. */
export function createPccsSource({ url, rootCrlUrl }: PccsOptions): CollateralSource {
  const base = url.replace(/\/+$/, '')
  return async ({ fmspc, ca }) => {
    const [pckCrl, rootCrl, tcb, identity] = await Promise.all([
      fetchCollateral(`${base}/sgx/certification/v4/pckcrl?ca=${ca}&encoding=der`),
      fetchCollateral(rootCrlUrl ?? `${base}/sgx/certification/v4/rootcacrl`),
      fetchCollateral(`${base}/tdx/certification/v4/tcb?fmspc=${fmspc.slice(2)}`),
      fetchCollateral(`${base}/tdx/certification/v4/qe/identity?update=standard`),
    ])
    const tcbInfo = signedText(tcb.body, 'tcbInfo')
    const qeIdentity = signedText(identity.body, 'enclaveIdentity')
    return parseQuoteCollateral({
      pck_crl_issuer_chain: chainOf(pckCrl.headers, 'sgx-pck-crl-issuer-chain'),
      pck_crl: derOf(pckCrl.body),
      root_ca_crl: derOf(rootCrl.body),
      tcb_info_issuer_chain: chainOf(tcb.headers, 'tcb-info-issuer-chain', 'sgx-tcb-info-issuer-chain'),
      tcb_info: tcbInfo.text,
      tcb_info_signature: tcbInfo.signature,
      qe_identity_issuer_chain: chainOf(identity.headers, 'sgx-enclave-identity-issuer-chain'),
      qe_identity: qeIdentity.text,
      qe_identity_signature: qeIdentity.signature,
    })
  }
}

/** Intel signs the bytes of the inner object, so it is cut out, never parsed and printed again. */
function signedText(body: Buffer, member: string): { text: string; signature: string } {
  const pattern = new RegExp(`^\\s*\\{\\s*"${member}"\\s*:\\s*(\\{.*\\})\\s*,\\s*"signature"\\s*:\\s*"([0-9a-fA-F]{128})"\\s*\\}\\s*$`, 's') // prettier-ignore
  const [, text, signature] = pattern.exec(body.toString('utf8')) ?? []
  if (text === undefined || signature === undefined) {
    throw new ServiceError('collateral_unavailable', 'the collateral service answers in another form', { member })
  }
  return { text, signature: signature.toLowerCase() }
}

/** A CRL comes as DER, or (Intel's PCCS, for the root's) as hex digits. */
function derOf(body: Buffer): string {
  const isDer = body[0] === 0x30 && !/^[0-9a-fA-F\s]+$/.test(body.toString('latin1'))
  return isDer ? body.toString('hex') : body.toString('latin1').trim().toLowerCase()
}

function chainOf(headers: Headers, ...names: string[]): string {
  const value = names.map((name) => headers.get(name)).find((text) => text !== null)
  try {
    if (value) return decodeURIComponent(value)
  } catch {
    // reported below
  }
  throw new ServiceError('collateral_unavailable', 'the collateral service names no issuer chain', { header: names[0] ?? '' }) // prettier-ignore
}
