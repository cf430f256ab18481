import { toHex, type Hex, type Json, type UnixSeconds } from '../../index.js'
import { simulatedPlatform } from '../index.js'
import type { QuoteCollateral } from '../../tdx/index.js'
import { mintCrl } from './mintCertificate.js'
import { tdxNames, type TdxAuthority } from './mintTdxPki.js'
import { ecdsaSigner, ecPublicKey } from './signers.js'

type Members = { [key: string]: Json }

export interface CollateralToMint {
  issuedAt: UnixSeconds
  nextUpdate: UnixSeconds
  /** Members that replace the defaults, before signing. */
  tcbInfo?: Members
  qeIdentity?: Members
  revokedByRoot?: readonly number[]
  revokedByPckCa?: readonly number[]
  /** The CRLs' own window and signers, when they differ. */
  crlIssuedAt?: UnixSeconds
  crlNextUpdate?: UnixSeconds
  crlKeys?: { root?: Hex; pckCa?: Hex }
  /** OIDs of extensions that a CRL is minted without. */
  crlWithout?: { root?: readonly string[]; pckCa?: readonly string[] }
  /** Changes the texts before they are signed. */
  rewrite?: (text: string) => string
}

/** Signed collateral for the simulated platform, in the shape that Intel's has. */
export async function mintCollateral(spec: CollateralToMint, authority: TdxAuthority): Promise<QuoteCollateral> {
  const { keys } = authority
  const crl = async (name: 'root' | 'pckCa', revokedSerials: readonly number[]) => {
    const list = {
      issuer: tdxNames[name],
      issuerPublicKey: ecPublicKey(keys[name]),
      thisUpdate: spec.crlIssuedAt ?? spec.issuedAt,
      nextUpdate: spec.crlNextUpdate ?? spec.nextUpdate,
      revokedSerials,
      without: spec.crlWithout?.[name] ?? [],
    }
    return plainHex(await mintCrl(list, ecdsaSigner(spec.crlKeys?.[name] ?? keys[name])))
  }
  const sign = (text: string) => plainHex(ecdsaSigner(keys.tcbSigner).sign(new TextEncoder().encode(text)))
  const { rewrite = (text: string) => text } = spec
  const tcbInfo = rewrite(JSON.stringify({ ...defaultTcbInfo(spec), ...spec.tcbInfo }))
  const qeIdentity = rewrite(JSON.stringify({ ...defaultQeIdentity(spec), ...spec.qeIdentity }))
  return {
    pck_crl_issuer_chain: authority.pckCaChain,
    root_ca_crl: await crl('root', spec.revokedByRoot ?? []),
    pck_crl: await crl('pckCa', spec.revokedByPckCa ?? []),
    tcb_info_issuer_chain: authority.tcbSignerChain,
    tcb_info: tcbInfo,
    tcb_info_signature: sign(tcbInfo),
    qe_identity_issuer_chain: authority.tcbSignerChain,
    qe_identity: qeIdentity,
    qe_identity_signature: sign(qeIdentity),
  }
}

const tcbDate = '2024-11-13T00:00:00Z'
const module = { mrsigner: '00'.repeat(48), attributes: '00'.repeat(8), attributesMask: 'FF'.repeat(8) }

/** One platform level in Intel's form. */
export function tcbLevel(
  changes: Partial<{ sgx: readonly number[]; tdx: readonly number[]; pcesvn: number }>,
  rest: Members,
): Members {
  const { sgx = simulatedPlatform.components, tdx = [5, 0, 3], pcesvn = simulatedPlatform.pceSvn } = changes
  const components = (svns: readonly number[]) => Array.from({ length: 16 }, (_, i) => ({ svn: svns[i] ?? 0 }))
  return { tcb: { sgxtcbcomponents: components(sgx), pcesvn, tdxtcbcomponents: components(tdx) }, tcbDate, ...rest }
}

/** One TDX module identity in Intel's form. */
export function tdxModuleIdentity(
  id: string,
  levels: readonly { isvsvn: number; tcbStatus: string; advisoryIDs?: string[] }[],
): Members {
  return { id, ...module, tcbLevels: levels.map(({ isvsvn, ...rest }) => ({ tcb: { isvsvn }, tcbDate, ...rest })) }
}

function defaultTcbInfo({ issuedAt, nextUpdate }: CollateralToMint): Members {
  return {
    id: 'TDX',
    version: 3,
    issueDate: isoTime(issuedAt),
    nextUpdate: isoTime(nextUpdate),
    fmspc: simulatedPlatform.fmspc.slice(2).toUpperCase(),
    pceId: simulatedPlatform.pceId.slice(2),
    tcbType: 0,
    tcbEvaluationDataNumber: 18,
    tdxModule: module,
    tdxModuleIdentities: [tdxModuleIdentity('TDX_01', [{ isvsvn: 5, tcbStatus: 'UpToDate' }])],
    tcbLevels: [tcbLevel({}, { tcbStatus: 'UpToDate' })],
  }
}

function defaultQeIdentity({ issuedAt, nextUpdate }: CollateralToMint): Members {
  const { qe } = simulatedPlatform
  return {
    id: 'TD_QE',
    version: 2,
    issueDate: isoTime(issuedAt),
    nextUpdate: isoTime(nextUpdate),
    tcbEvaluationDataNumber: 18,
    miscselect: '00000000',
    miscselectMask: 'FFFFFFFF',
    attributes: '11000000000000000000000000000000',
    attributesMask: 'FBFFFFFFFFFFFFFF0000000000000000',
    mrsigner: qe.mrSigner.slice(2).toUpperCase(),
    isvprodid: qe.isvProdId,
    tcbLevels: [{ tcb: { isvsvn: qe.isvSvn }, tcbDate, tcbStatus: 'UpToDate' }],
  }
}

function isoTime(seconds: UnixSeconds): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}

function plainHex(bytes: Uint8Array): string {
  return toHex(bytes).slice(2)
}
