import { concatBytes } from '../../bytes/index.js'
import { tcbLevel, tdxNames, tdxSerials } from '../../simulation/testing/index.js'
import type { QuoteCollateral } from '../collateral/parseQuoteCollateral.js'
import {
  caseTime,
  caseTimes,
  day,
  strangerKey,
  flip,
  withCollateral,
  flipHex,
  levels,
  moduleLevels,
  qeLevels,
  type Row,
} from './tdxRecipe.js'

const wrongForm: Row[] = [
  ['an empty quote', { code: 'parse_failed' }, { spoil: () => ({ quote: new Uint8Array(0) }) }],
  ['a quote cut off', { code: 'parse_failed' }, { spoil: ({ quote }) => ({ quote: quote.subarray(0, 3000) }) }],
  [
    'bytes after the quote',
    { code: 'parse_failed' },
    { spoil: ({ quote }) => ({ quote: concatBytes(quote, Uint8Array.of(0, 1)) }) },
  ],
  ['quote version 3', { code: 'parse_failed' }, { spoil: ({ quote }) => ({ quote: quote.with(0, 3) }) }],
  ['an SGX quote', { code: 'parse_failed' }, { spoil: ({ quote }) => ({ quote: quote.with(4, 0) }) }],
  [
    'an attestation key of another kind',
    { code: 'parse_failed' },
    { spoil: ({ quote }) => ({ quote: quote.with(2, 3) }) },
  ],
  ['another quoting enclave vendor', { code: 'parse_failed' }, { spoil: ({ quote }) => ({ quote: flip(quote, 12) }) }],
  [
    'a signature section that says it is longer',
    { code: 'parse_failed' },
    { spoil: ({ quote }) => ({ quote: quote.with(635, 1) }) },
  ],
  [
    'signed TCB info with a member named twice',
    { code: 'parse_failed' },
    { collateral: { rewrite: (text) => text.replace('{', '{"id":"TDX",') } },
  ],
  [
    'signed TCB info with 15 components',
    { code: 'parse_failed' },
    {
      collateral: {
        tcbInfo: {
          tcbLevels: [
            {
              ...tcbLevel({}, { tcbStatus: 'UpToDate' }),
              tcb: { pcesvn: 1, sgxtcbcomponents: [], tdxtcbcomponents: [] },
            },
          ],
        },
      },
    },
  ],
  ['TCB info of another type', { code: 'parse_failed' }, { collateral: { tcbInfo: { tcbType: 1 } } }],
  [
    'two platform levels with equal SVNs',
    { code: 'parse_failed' },
    {
      collateral: {
        tcbInfo: { tcbLevels: ['UpToDate', 'OutOfDate'].map((tcbStatus) => tcbLevel({}, { tcbStatus })) },
      },
    },
  ],
  [
    'two module levels with equal SVNs',
    { code: 'parse_failed' },
    {
      collateral: {
        tcbInfo: moduleLevels({ isvsvn: 5, tcbStatus: 'UpToDate' }, { isvsvn: 5, tcbStatus: 'Revoked' }),
      },
    },
  ],
  [
    'two quoting enclave levels with equal SVNs',
    { code: 'parse_failed' },
    {
      collateral: {
        qeIdentity: { tcbLevels: [...qeLevels('UpToDate').tcbLevels, ...qeLevels('Revoked').tcbLevels] },
      },
    },
  ],
  ['a TCB status Intel does not use', { code: 'parse_failed' }, { collateral: { tcbInfo: levels('Splendid') } }],
  [
    'a collateral member missing',
    { code: 'parse_failed' },
    {
      spoil: ({ collateral }) => ({ collateral: { ...collateral, pck_crl: undefined } as unknown as QuoteCollateral }),
    },
  ],
  [
    'collateral that is no object',
    { code: 'parse_failed' },
    { spoil: () => ({ collateral: null as unknown as QuoteCollateral }) },
  ],
  ['time that is not a number', { code: 'time_invalid' }, { spoil: () => ({ now: Number.NaN }) }],
  ['time with a fraction', { code: 'time_invalid' }, { spoil: () => ({ now: caseTime + 0.5 }) }],
  ['no time', { code: 'time_invalid' }, { spoil: () => ({ now: undefined as unknown as number }) }],
  [
    'a root that is not a certificate',
    { code: 'root_invalid' },
    { spoil: () => ({ root: new TextEncoder().encode('Intel') }) },
  ],
  ['no root', { code: 'root_invalid' }, { spoil: () => ({ root: undefined as unknown as Uint8Array }) }],
  [
    'a root that did not sign itself',
    { code: 'root_invalid' },
    { spoil: ({ root }) => ({ root: flip(root, root.length - 1) }) },
  ],
]

const wrongCertificates: Row[] = [
  ['a PCK signed by a stranger', { code: 'cert_chain' }, { pki: { pck: { signWith: strangerKey } } }],
  ['a PCK CA signed by a stranger', { code: 'cert_chain' }, { pki: { pckCa: { signWith: strangerKey } } }],
  ['a PCK CA that is no CA', { code: 'cert_chain' }, { pki: { pckCa: { role: 'leaf' } } }],
  ['a PCK that names another issuer', { code: 'cert_chain' }, { pki: { pck: { issuer: tdxNames.tcbSigner } } }],
  ['a PCK that is a CA itself', { code: 'cert_chain' }, { pki: { pck: { role: 'ca' } } }],
  ['a TCB signer signed by a stranger', { code: 'cert_chain' }, { pki: { tcbSigner: { signWith: strangerKey } } }],
  ['an expired PCK', { code: 'cert_expired' }, { pki: { pck: { notAfter: caseTime - 1 } } }],
  ['a PCK from the future', { code: 'cert_not_yet_valid' }, { pki: { pck: { notBefore: caseTime + 1 } } }],
  ['an expired TCB signer', { code: 'cert_expired' }, { pki: { tcbSigner: { notAfter: caseTime - 1 } } }],
  ['an expired root', { code: 'cert_expired' }, { pki: { root: { notAfter: caseTime - 1 } } }],
  ['a revoked PCK', { code: 'cert_revoked' }, { collateral: { revokedByPckCa: [tdxSerials.pck] } }],
  ['a revoked PCK CA', { code: 'cert_revoked' }, { collateral: { revokedByRoot: [tdxSerials.pckCa] } }],
  ['a revoked TCB signer', { code: 'cert_revoked' }, { collateral: { revokedByRoot: [tdxSerials.tcbSigner] } }],
  ['a garbled PCK CRL', { code: 'crl_invalid' }, { spoil: withCollateral(() => ({ pck_crl: '00' })) }],
  ['no CRLs', { code: 'crl_invalid' }, { spoil: withCollateral(() => ({ pck_crl: '', root_ca_crl: '' })) }],
  ['a PCK CRL signed by a stranger', { code: 'crl_invalid' }, { collateral: { crlKeys: { pckCa: strangerKey } } }],
  ['a root CRL signed by a stranger', { code: 'crl_invalid' }, { collateral: { crlKeys: { root: strangerKey } } }],
  [
    'the root’s CRL in the PCK CRL’s place',
    { code: 'crl_invalid' },
    { spoil: withCollateral(({ root_ca_crl }) => ({ pck_crl: root_ca_crl })) },
  ],
  ['a PCK CRL without a number', { code: 'crl_invalid' }, { collateral: { crlWithout: { pckCa: ['2.5.29.20'] } } }],
  ['a root CRL without a key id', { code: 'crl_invalid' }, { collateral: { crlWithout: { root: ['2.5.29.35'] } } }],
  [
    'a stale CRL',
    { code: 'crl_expired' },
    { collateral: { crlIssuedAt: caseTime - 9 * day, crlNextUpdate: caseTime - 1 } },
  ],
  ['a CRL from the future', { code: 'crl_not_yet_valid' }, { collateral: { crlIssuedAt: caseTime + 1 } }],
  ['TCB info signed by a PCK', { code: 'signer_role' }, { pki: { tcbSigner: { subject: tdxNames.pck } } }],
  ['a CA in the TCB signer’s role', { code: 'signer_role' }, { pki: { tcbSigner: { role: 'ca' } } }],
  ['a PCK in the TCB signer’s role', { code: 'signer_role' }, { pki: { pck: { subject: tdxNames.tcbSigner } } }],
  ['a PCK without the SGX extension', { code: 'signer_role' }, { pki: { pck: { extensions: [] } } }],
]

const wrongCollateral: Row[] = [
  ['stale TCB info', { code: 'collateral_expired' }, { spoil: () => ({ now: caseTimes.nextUpdate + 1 }) }],
  [
    'TCB info from the future',
    { code: 'collateral_not_yet_valid' },
    { spoil: () => ({ now: caseTimes.issuedAt - 1 }) },
  ],
  [
    'a stale QE identity',
    { code: 'collateral_expired' },
    { collateral: { qeIdentity: { nextUpdate: '2026-11-13T00:00:00Z' } } },
  ],
  [
    'a changed TCB info',
    { code: 'tcb_info_signature' },
    { spoil: withCollateral(({ tcb_info }) => ({ tcb_info: tcb_info.replace('"UpToDate"', '"UpToDate" ') })) },
  ],
  [
    'a changed TCB info signature',
    { code: 'tcb_info_signature' },
    { spoil: withCollateral(({ tcb_info_signature: s }) => ({ tcb_info_signature: flipHex(s, 5) })) },
  ],
  [
    'a TCB info signature cut short',
    { code: 'tcb_info_signature' },
    { spoil: withCollateral(() => ({ tcb_info_signature: '00' })) },
  ],
  [
    'a changed QE identity',
    { code: 'qe_identity_signature' },
    { spoil: withCollateral(({ qe_identity }) => ({ qe_identity: `${qe_identity} ` })) },
  ],
  ['TCB info for SGX', { code: 'tcb_info_mismatch' }, { collateral: { tcbInfo: { id: 'SGX' } } }],
  ['TCB info of another version', { code: 'tcb_info_mismatch' }, { collateral: { tcbInfo: { version: 2 } } }],
  [
    'TCB info of another platform family',
    { code: 'fmspc_mismatch' },
    { collateral: { tcbInfo: { fmspc: '00DE50000001' } } },
  ],
  ['TCB info of another PCE', { code: 'pce_id_mismatch' }, { collateral: { tcbInfo: { pceId: '0001' } } }],
  ['the SGX quoting enclave’s identity', { code: 'qe_identity' }, { collateral: { qeIdentity: { id: 'QE' } } }],
]

/** Input, certificates, CRLs and collateral, each spoiled in a single place. */
export const collateralRows: readonly Row[] = [...wrongForm, ...wrongCertificates, ...wrongCollateral]
