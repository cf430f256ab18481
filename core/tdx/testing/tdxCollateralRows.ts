import { concatBytes } from '../../bytes/index.js'
import { tcbLevel, tdxNames, tdxSerials } from '../../simulation/testing/index.js'
import {
  caseTime,
  caseTimes,
  day,
  flip,
  flipHex,
  levels,
  moduleLevels,
  qeLevels,
  refused,
  spoiltCollateral,
  spoiltQuote,
  strangerKey,
  withQeIdentity,
  withTcbInfo,
  type Row,
} from './tdxRecipe.js'

const emptyLevel = {
  ...tcbLevel({}, { tcbStatus: 'UpToDate' }),
  tcb: { pcesvn: 1, sgxtcbcomponents: [], tdxtcbcomponents: [] },
}
const twoLevels = ['UpToDate', 'OutOfDate'].map((tcbStatus) => tcbLevel({}, { tcbStatus }))

const wrongForm: Row[] = [
  ...refused('parse_failed', {
    'an empty quote': spoiltQuote(() => new Uint8Array(0)),
    'a quote cut off': spoiltQuote((quote) => quote.subarray(0, 3000)),
    'bytes after the quote': spoiltQuote((quote) => concatBytes(quote, Uint8Array.of(0, 1))),
    'quote version 3': spoiltQuote((quote) => quote.with(0, 3)),
    'an SGX quote': spoiltQuote((quote) => quote.with(4, 0)),
    'an attestation key of another kind': spoiltQuote((quote) => quote.with(2, 3)),
    'another quoting enclave vendor': spoiltQuote((quote) => flip(quote, 12)),
    'a signature section that says it is longer': spoiltQuote((quote) => quote.with(635, 1)),
    'signed TCB info with a member named twice': {
      collateral: { rewrite: (text) => text.replace('{', '{"id":"TDX",') },
    },
    'signed TCB info with 15 components': withTcbInfo({ tcbLevels: [emptyLevel] }),
    'TCB info of another type': withTcbInfo({ tcbType: 1 }),
    'two platform levels with equal SVNs': withTcbInfo({ tcbLevels: twoLevels }),
    'two module levels with equal SVNs': withTcbInfo(
      moduleLevels({ isvsvn: 5, tcbStatus: 'UpToDate' }, { isvsvn: 5, tcbStatus: 'Revoked' }),
    ),
    'two quoting enclave levels with equal SVNs': withQeIdentity({
      tcbLevels: [...qeLevels('UpToDate').tcbLevels, ...qeLevels('Revoked').tcbLevels],
    }),
    'a TCB status Intel does not use': withTcbInfo(levels('Splendid')),
    'a collateral member missing': spoiltCollateral(() => ({ pck_crl: undefined as never })),
    'collateral that is no object': { spoil: () => ({ collateral: null as never }) },
  }),
  ...refused('time_invalid', {
    'time that is not a number': { spoil: () => ({ now: Number.NaN }) },
    'time with a fraction': { spoil: () => ({ now: caseTime + 0.5 }) },
    'no time': { spoil: () => ({ now: undefined as never }) },
  }),
  ...refused('root_invalid', {
    'a root that is not a certificate': { spoil: () => ({ root: new TextEncoder().encode('Intel') }) },
    'no root': { spoil: () => ({ root: undefined as never }) },
    'a root that did not sign itself': { spoil: ({ root }) => ({ root: flip(root, root.length - 1) }) },
  }),
]

const wrongCertificates: Row[] = [
  ...refused('cert_chain', {
    'a PCK signed by a stranger': { pki: { pck: { signWith: strangerKey } } },
    'a PCK CA signed by a stranger': { pki: { pckCa: { signWith: strangerKey } } },
    'a PCK CA that is no CA': { pki: { pckCa: { role: 'leaf' } } },
    'a PCK that names another issuer': { pki: { pck: { issuer: tdxNames.tcbSigner } } },
    'a PCK that is a CA itself': { pki: { pck: { role: 'ca' } } },
    'a TCB signer signed by a stranger': { pki: { tcbSigner: { signWith: strangerKey } } },
  }),
  ...refused('cert_expired', {
    'an expired PCK': { pki: { pck: { notAfter: caseTime - 1 } } },
    'an expired TCB signer': { pki: { tcbSigner: { notAfter: caseTime - 1 } } },
    'an expired root': { pki: { root: { notAfter: caseTime - 1 } } },
  }),
  ...refused('cert_not_yet_valid', { 'a PCK from the future': { pki: { pck: { notBefore: caseTime + 1 } } } }),
  ...refused('cert_revoked', {
    'a revoked PCK': { collateral: { revokedByPckCa: [tdxSerials.pck] } },
    'a revoked PCK CA': { collateral: { revokedByRoot: [tdxSerials.pckCa] } },
    'a revoked TCB signer': { collateral: { revokedByRoot: [tdxSerials.tcbSigner] } },
  }),
  ...refused('crl_invalid', {
    'a garbled PCK CRL': spoiltCollateral(() => ({ pck_crl: '00' })),
    'no CRLs': spoiltCollateral(() => ({ pck_crl: '', root_ca_crl: '' })),
    'a PCK CRL signed by a stranger': { collateral: { crlKeys: { pckCa: strangerKey } } },
    'a root CRL signed by a stranger': { collateral: { crlKeys: { root: strangerKey } } },
    'the root’s CRL in the PCK CRL’s place': spoiltCollateral(({ root_ca_crl }) => ({ pck_crl: root_ca_crl })),
    'a PCK CRL without a number': { collateral: { crlWithout: { pckCa: ['2.5.29.20'] } } },
    'a root CRL without a key id': { collateral: { crlWithout: { root: ['2.5.29.35'] } } },
  }),
  ...refused('crl_expired', {
    'a stale CRL': { collateral: { crlIssuedAt: caseTime - 9 * day, crlNextUpdate: caseTime - 1 } },
  }),
  ...refused('crl_not_yet_valid', { 'a CRL from the future': { collateral: { crlIssuedAt: caseTime + 1 } } }),
  ...refused('signer_role', {
    'TCB info signed by a PCK': { pki: { tcbSigner: { subject: tdxNames.pck } } },
    'a CA in the TCB signer’s role': { pki: { tcbSigner: { role: 'ca' } } },
    'a PCK in the TCB signer’s role': { pki: { pck: { subject: tdxNames.tcbSigner } } },
    'a PCK without the SGX extension': { pki: { pck: { extensions: [] } } },
  }),
]

const wrongCollateral: Row[] = [
  ...refused('collateral_expired', {
    'stale TCB info': { spoil: () => ({ now: caseTimes.nextUpdate + 1 }) },
    'a stale QE identity': withQeIdentity({ nextUpdate: '2026-11-13T00:00:00Z' }),
  }),
  ...refused('collateral_not_yet_valid', {
    'TCB info from the future': { spoil: () => ({ now: caseTimes.issuedAt - 1 }) },
  }),
  ...refused('tcb_info_signature', {
    'a changed TCB info': spoiltCollateral(({ tcb_info: info }) => ({
      tcb_info: info.replace('"UpToDate"', '"UpToDate" '),
    })),
    'a changed TCB info signature': spoiltCollateral(({ tcb_info_signature: signature }) => ({
      tcb_info_signature: flipHex(signature, 5),
    })),
    'a TCB info signature cut short': spoiltCollateral(() => ({ tcb_info_signature: '00' })),
  }),
  ...refused('qe_identity_signature', {
    'a changed QE identity': spoiltCollateral(({ qe_identity }) => ({ qe_identity: `${qe_identity} ` })),
  }),
  ...refused('tcb_info_mismatch', {
    'TCB info for SGX': withTcbInfo({ id: 'SGX' }),
    'TCB info of another version': withTcbInfo({ version: 2 }),
  }),
  ...refused('fmspc_mismatch', { 'TCB info of another platform family': withTcbInfo({ fmspc: '00DE50000001' }) }),
  ...refused('pce_id_mismatch', { 'TCB info of another PCE': withTcbInfo({ pceId: '0001' }) }),
  ...refused('qe_identity', { 'the SGX quoting enclave’s identity': withQeIdentity({ id: 'QE' }) }),
]

/** Input, certificates, CRLs and collateral, each spoiled in a single place. */
export const collateralRows: readonly Row[] = [...wrongForm, ...wrongCertificates, ...wrongCollateral]
