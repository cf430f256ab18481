import type { QuoteCollateral } from '@perigee/core/tdx'
import { listen } from '../../tests/rigs/servers/listen.js'

/** A PCCS: it serves whatever collateral it was last given, in the forms of Intel's API version 4, over loopback HTTP. */
export async function servePccs(first: QuoteCollateral, { fmspc }: { fmspc: string }) {
  let collateral = first
  let broken = false
  const asked: string[] = []
  const bytes = (value: QuoteCollateral['pck_crl']) =>
    typeof value === 'string' ? Buffer.from(value.replace(/^0x/, ''), 'hex') : Buffer.from(value)
  const chain = (pem: string) => encodeURIComponent(pem)

  const answers: Record<string, () => { headers: Record<string, string>; body: Buffer | string }> = {
    '/sgx/certification/v4/pckcrl?ca=platform&encoding=der': () => ({
      headers: { 'SGX-PCK-CRL-Issuer-Chain': chain(collateral.pck_crl_issuer_chain) },
      body: bytes(collateral.pck_crl),
    }),
    '/sgx/certification/v4/rootcacrl': () => ({ headers: {}, body: bytes(collateral.root_ca_crl).toString('hex') }),
    [`/tdx/certification/v4/tcb?fmspc=${fmspc}`]: () => ({
      headers: { 'TCB-Info-Issuer-Chain': chain(collateral.tcb_info_issuer_chain) },
      body: `{"tcbInfo":${collateral.tcb_info},"signature":"${bytes(collateral.tcb_info_signature).toString('hex')}"}`,
    }),
    '/tdx/certification/v4/qe/identity?update=standard': () => ({
      headers: { 'SGX-Enclave-Identity-Issuer-Chain': chain(collateral.qe_identity_issuer_chain) },
      body: `{"enclaveIdentity":${collateral.qe_identity},"signature":"${bytes(collateral.qe_identity_signature).toString('hex')}"}`,
    }),
  }
  const { url, close } = await listen((request, response) => {
    asked.push(request.url ?? '')
    const answer = broken ? undefined : answers[request.url ?? '']?.()
    if (!answer) return response.writeHead(broken ? 503 : 404).end()
    response.writeHead(200, answer.headers).end(answer.body)
  })
  return {
    url: `${url}/`,
    asked,
    serve: (next: QuoteCollateral) => (collateral = next),
    breakDown: (is = true) => (broken = is),
    close,
  }
}
