import { concatBytes } from '../../bytes/index.js'
import { pckExtension, sgxOid, tcbLevel } from '../../simulation/testing/index.js'
import { fine, flip, withCollateral, levels, moduleLevels, qeLevels, oldModule, type Row } from './tdxRecipe.js'

const accepted: Row[] = [
  ['a version 4 quote', fine('UpToDate'), {}],
  ['a version 5 quote with TD report 1.5', fine('UpToDate'), { quote: { version: 5 } }],
  ['a version 5 quote with TD report 1.0', fine('UpToDate'), { quote: { version: 5, tdReportVersion: '1.0' } }],
  ['a version 5 quote with TD report 1.5ex', fine('UpToDate'), { quote: { version: 5, tdReportVersion: '1.5ex' } }],
  [
    'a quote padded with zeros',
    fine('UpToDate'),
    { spoil: ({ quote }) => ({ quote: concatBytes(quote, new Uint8Array(999)) }) },
  ],
  [
    'a platform that needs software hardening',
    fine('SWHardeningNeeded', 'INTEL-SA-00615'),
    { collateral: { tcbInfo: levels('SWHardeningNeeded', ['INTEL-SA-00615']) } },
  ],
  [
    'an outdated TDX module',
    fine('OutOfDate', 'INTEL-SA-01099'),
    { collateral: { tcbInfo: moduleLevels(...oldModule) } },
  ],
  ['an outdated quoting enclave', fine('OutOfDate'), { collateral: { qeIdentity: qeLevels('OutOfDate') } }],
  [
    'a TD with attributes newer than TDX 1.5 (ICSSD, LASS, TPA)',
    fine('UpToDate'),
    { quote: { tdAttributes: '0x0000011800000040' } },
  ],
  [
    'certificates with white space around lines and blocks',
    fine('UpToDate'),
    {
      spoil: withCollateral(({ tcb_info_issuer_chain: chain }) => ({
        tcb_info_issuer_chain: ` \n${chain.replaceAll('\n', ' \r\n  ')}\0\n`,
      })),
    },
  ],
  [
    'an outdated module on a platform to configure',
    fine('OutOfDateConfigurationNeeded', 'INTEL-SA-01099'),
    { collateral: { tcbInfo: { ...levels('ConfigurationNeeded'), ...moduleLevels(...oldModule) } } },
  ],
  [
    'module version 0, compared by the platform level',
    fine('UpToDate'),
    { quote: { teeTcbSvn: '0x05000300000000000000000000000000' } },
  ],
  [
    'a module compared by its own levels, not by the platform level’s first two bytes',
    fine('UpToDate'),
    { collateral: { tcbInfo: { tcbLevels: [tcbLevel({ tdx: [9, 9, 3] }, { tcbStatus: 'UpToDate' })] } } },
  ],
  [
    'levels that are listed in the wrong order',
    fine('UpToDate'),
    {
      collateral: {
        tcbInfo: {
          tcbLevels: [tcbLevel({ sgx: [1] }, { tcbStatus: 'OutOfDate' }), tcbLevel({}, { tcbStatus: 'UpToDate' })],
        },
      },
    },
  ],
  [
    'a foreign PCK chain offered by the collateral, which the quote’s own outranks',
    fine('UpToDate'),
    { spoil: withCollateral(() => ({ pck_certificate_chain: 'nonsense' })) },
  ],
]

const qeMisfits: Row[] = (
  [
    ['MRSIGNER', { mrSigner: `0x${'00'.repeat(32)}` }],
    ['ISVPRODID', { isvProdId: 1 }],
    ['ATTRIBUTES', { attributes: `0x31${'00'.repeat(15)}` }],
    ['debug mode', { attributes: `0x13${'00'.repeat(15)}` }],
    ['MISCSELECT', { miscSelect: '0x01000000' }],
  ] as const
).map(([field, qe]) => [`a quoting enclave with another ${field}`, { code: 'qe_identity' }, { quote: { qe } }])

const wrongQuote: Row[] = [
  ...qeMisfits,
  [
    'a changed QE report',
    { code: 'qe_report_signature' },
    { spoil: ({ quote }) => ({ quote: flip(quote, 636 + 134 + 30) }) },
  ],
  [
    'an attestation key that the QE report does not cover',
    { code: 'qe_report_data' },
    { spoil: ({ quote }) => ({ quote: flip(quote, 636 + 64) }) },
  ],
  [
    'changed QE authentication data',
    { code: 'qe_report_data' },
    { spoil: ({ quote }) => ({ quote: flip(quote, 636 + 134 + 448 + 2) }) },
  ],
  ['changed REPORTDATA', { code: 'quote_signature' }, { spoil: ({ quote }) => ({ quote: flip(quote, 48 + 520) }) }],
  ['a changed signature', { code: 'quote_signature' }, { spoil: ({ quote }) => ({ quote: flip(quote, 640) }) }],
  [
    'a TDX module that Intel did not sign',
    { code: 'tdx_module_identity' },
    { quote: { mrSignerSeam: `0x${'01'.repeat(48)}` } },
  ],
  [
    'a TDX module with attributes',
    { code: 'tdx_module_identity' },
    { quote: { seamAttributes: '0x0100000000000000' } },
  ],
  [
    'a TDX module of an unknown version',
    { code: 'tdx_module_identity' },
    { quote: { teeTcbSvn: '0x05020300000000000000000000000000' } },
  ],
  [
    'a TDX module below every level',
    { code: 'tcb_not_supported' },
    { quote: { teeTcbSvn: '0x04010300000000000000000000000000' } },
  ],
  [
    'a platform below every level',
    { code: 'tcb_not_supported' },
    { pki: { pck: { extensions: [{ oid: sgxOid, value: pckExtension({ pceSvn: 12 }) }] } } },
  ],
  [
    'a TDX component below every level',
    { code: 'tcb_not_supported' },
    { quote: { teeTcbSvn: '0x05010200000000000000000000000000' } },
  ],
  [
    'module version 0 below every level',
    { code: 'tcb_not_supported' },
    { quote: { teeTcbSvn: '0x04000300000000000000000000000000' } },
  ],
  ['a quoting enclave below every level', { code: 'tcb_not_supported' }, { quote: { qe: { isvSvn: 3 } } }],
  ['a revoked platform level', { code: 'tcb_revoked' }, { collateral: { tcbInfo: levels('Revoked') } }],
  [
    'a revoked TDX module',
    { code: 'tcb_revoked' },
    { collateral: { tcbInfo: moduleLevels({ isvsvn: 5, tcbStatus: 'Revoked' }) } },
  ],
  [
    'a quoting enclave with a status that Intel’s quoting enclaves do not have',
    { code: 'parse_failed' },
    { collateral: { qeIdentity: qeLevels('ConfigurationNeeded') } },
  ],
  ['a revoked quoting enclave', { code: 'tcb_revoked' }, { collateral: { qeIdentity: qeLevels('Revoked') } }],
  ['a debug TD', { code: 'td_debug' }, { quote: { tdAttributes: '0x0100001000000000' } }],
  [
    'a TD with a reserved attribute',
    { code: 'td_reserved_attributes' },
    { quote: { tdAttributes: '0x0000001000010000' } },
  ],
  ['a migratable TD', { code: 'td_reserved_attributes' }, { quote: { tdAttributes: '0x0000003000000000' } }],
  [
    'a TD whose host may inject faults',
    { code: 'td_sept_ve_disable' },
    { quote: { tdAttributes: '0x0000000000000000' } },
  ],
  [
    'a TD that had a service TD on its first host',
    { code: 'td_service_td' },
    { quote: { version: 5, tdReportVersion: '1.5ex', initServerTdHash: `0x${'00'.repeat(47)}01` } },
  ],
  [
    'a TD whose service TD only TD report 1.5ex names',
    { code: 'td_service_td' },
    { quote: { version: 5, tdReportVersion: '1.5ex', currServerTdHash: `0x01${'00'.repeat(47)}` } },
  ],
  [
    'a TD with a service TD and SERVTD_EXT, which we treat as reserved',
    { code: 'td_reserved_attributes' },
    {
      quote: {
        version: 5,
        tdReportVersion: '1.5ex',
        tdAttributes: '0x0000021000000000',
        currServerTdHash: `0x01${'00'.repeat(47)}`,
      },
    },
  ],
  [
    'TD report 1.5ex whose current SVN is all zero',
    { code: 'tcb_not_supported' },
    { quote: { version: 5, tdReportVersion: '1.5ex', teeTcbSvn2: `0x${'00'.repeat(16)}` } },
  ],
  ['a TD with a service TD', { code: 'td_service_td' }, { quote: { version: 5, mrServiceTd: `0x${'01'.repeat(48)}` } }],
]

/** Valid quotes, and quotes spoiled in a single place. */
export const quoteRows: readonly Row[] = [...accepted, ...wrongQuote]
