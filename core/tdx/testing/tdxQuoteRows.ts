import { concatBytes } from '../../bytes/index.js'
import { pckExtension, sgxOid, tcbLevel } from '../../simulation/testing/index.js'
import {
  fine,
  flip,
  levels,
  moduleLevels,
  oldModule,
  qeLevels,
  refused,
  spoiltCollateral,
  spoiltQuote,
  withQeIdentity,
  withTcbInfo,
  type Row,
} from './tdxRecipe.js'

const [upToDate, old] = [tcbLevel({}, { tcbStatus: 'UpToDate' }), tcbLevel({ sgx: [1] }, { tcbStatus: 'OutOfDate' })]
const lenient = tcbLevel({ tdx: [9, 9, 3] }, { tcbStatus: 'UpToDate' })
const platform0 = { quote: { teeTcbSvn: '0x05000300000000000000000000000000' } } as const
const configured = { ...levels('ConfigurationNeeded'), ...moduleLevels(...oldModule) }
const advised = fine('OutOfDate', 'INTEL-SA-01099')
const ex = { version: 5, tdReportVersion: '1.5ex' } as const
const serviceTd = `0x01${'00'.repeat(47)}` as const

const accepted: Row[] = [
  ['a version 4 quote', fine('UpToDate'), {}],
  ['a version 5 quote with TD report 1.5', fine('UpToDate'), { quote: { version: 5 } }],
  ['a version 5 quote with TD report 1.0', fine('UpToDate'), { quote: { version: 5, tdReportVersion: '1.0' } }],
  ['a version 5 quote with TD report 1.5ex', fine('UpToDate'), { quote: ex }],
  ['a quote padded with zeros', fine('UpToDate'), spoiltQuote((quote) => concatBytes(quote, new Uint8Array(999)))],
  [
    'a platform that needs software hardening',
    fine('SWHardeningNeeded', 'INTEL-SA-00615'),
    withTcbInfo(levels('SWHardeningNeeded', ['INTEL-SA-00615'])),
  ],
  ['an outdated TDX module', advised, withTcbInfo(moduleLevels(...oldModule))],
  ['an outdated quoting enclave', fine('OutOfDate'), withQeIdentity(qeLevels('OutOfDate'))],
  [
    'a TD with attributes newer than TDX 1.5 (ICSSD, LASS, TPA)',
    fine('UpToDate'),
    { quote: { tdAttributes: '0x0000011800000040' } },
  ],
  [
    'certificates with white space around lines and blocks',
    fine('UpToDate'),
    spoiltCollateral(({ tcb_info_issuer_chain: chain }) => ({
      tcb_info_issuer_chain: ` \n${chain.replaceAll('\n', ' \r\n  ')}\0\n`,
    })),
  ],
  [
    'an outdated module on a platform to configure',
    fine('OutOfDateConfigurationNeeded', 'INTEL-SA-01099'),
    withTcbInfo(configured),
  ],
  ['module version 0, compared by the platform level', fine('UpToDate'), platform0],
  [
    'a module compared by its own levels, not by the platform level’s first two bytes',
    fine('UpToDate'),
    withTcbInfo({ tcbLevels: [lenient] }),
  ],
  ['levels that are listed in the wrong order', fine('UpToDate'), withTcbInfo({ tcbLevels: [old, upToDate] })],
  [
    'a foreign PCK chain offered by the collateral, which the quote’s own outranks',
    fine('UpToDate'),
    spoiltCollateral(() => ({ pck_certificate_chain: 'nonsense' })),
  ],
]

const wrongQuote: Row[] = [
  ...refused('parse_failed', {
    'a quoting enclave with a status that Intel’s quoting enclaves do not have': withQeIdentity(
      qeLevels('ConfigurationNeeded'),
    ),
  }),
  ...refused('qe_identity', {
    'a quoting enclave with another MRSIGNER': { quote: { qe: { mrSigner: `0x${'00'.repeat(32)}` } } },
    'a quoting enclave with another ISVPRODID': { quote: { qe: { isvProdId: 1 } } },
    'a quoting enclave with another ATTRIBUTES': { quote: { qe: { attributes: `0x31${'00'.repeat(15)}` } } },
    'a quoting enclave with another debug mode': { quote: { qe: { attributes: `0x13${'00'.repeat(15)}` } } },
    'a quoting enclave with another MISCSELECT': { quote: { qe: { miscSelect: '0x01000000' } } },
  }),
  ...refused('qe_report_signature', { 'a changed QE report': spoiltQuote((quote) => flip(quote, 636 + 134 + 30)) }),
  ...refused('qe_report_data', {
    'an attestation key that the QE report does not cover': spoiltQuote((quote) => flip(quote, 636 + 64)),
    'changed QE authentication data': spoiltQuote((quote) => flip(quote, 636 + 134 + 448 + 2)),
  }),
  ...refused('quote_signature', {
    'changed REPORTDATA': spoiltQuote((quote) => flip(quote, 48 + 520)),
    'a changed signature': spoiltQuote((quote) => flip(quote, 640)),
  }),
  ...refused('tdx_module_identity', {
    'a TDX module that Intel did not sign': { quote: { mrSignerSeam: `0x${'01'.repeat(48)}` } },
    'a TDX module with attributes': { quote: { seamAttributes: '0x0100000000000000' } },
    'a TDX module of an unknown version': { quote: { teeTcbSvn: '0x05020300000000000000000000000000' } },
  }),
  ...refused('tcb_not_supported', {
    'a TDX module below every level': { quote: { teeTcbSvn: '0x04010300000000000000000000000000' } },
    'a platform below every level': {
      pki: { pck: { extensions: [{ oid: sgxOid, value: pckExtension({ pceSvn: 12 }) }] } },
    },
    'a TDX component below every level': { quote: { teeTcbSvn: '0x05010200000000000000000000000000' } },
    'module version 0 below every level': { quote: { teeTcbSvn: '0x04000300000000000000000000000000' } },
    'a quoting enclave below every level': { quote: { qe: { isvSvn: 3 } } },
    'TD report 1.5ex whose current SVN is all zero': { quote: { ...ex, teeTcbSvn2: `0x${'00'.repeat(16)}` } },
  }),
  ...refused('tcb_revoked', {
    'a revoked platform level': withTcbInfo(levels('Revoked')),
    'a revoked TDX module': withTcbInfo(moduleLevels({ isvsvn: 5, tcbStatus: 'Revoked' })),
    'a revoked quoting enclave': withQeIdentity(qeLevels('Revoked')),
  }),
  ...refused('td_debug', { 'a debug TD': { quote: { tdAttributes: '0x0100001000000000' } } }),
  ...refused('td_reserved_attributes', {
    'a TD with a reserved attribute': { quote: { tdAttributes: '0x0000001000010000' } },
    'a migratable TD': { quote: { tdAttributes: '0x0000003000000000' } },
    'a TD with a service TD and SERVTD_EXT, which we treat as reserved': {
      quote: { ...ex, tdAttributes: '0x0000021000000000', currServerTdHash: serviceTd },
    },
  }),
  ...refused('td_sept_ve_disable', {
    'a TD whose host may inject faults': { quote: { tdAttributes: '0x0000000000000000' } },
  }),
  ...refused('td_service_td', {
    'a TD that had a service TD on its first host': { quote: { ...ex, initServerTdHash: `0x${'00'.repeat(47)}01` } },
    'a TD whose service TD only TD report 1.5ex names': { quote: { ...ex, currServerTdHash: serviceTd } },
    'a TD with a service TD': { quote: { version: 5, mrServiceTd: `0x${'01'.repeat(48)}` } },
  }),
]

/** Valid quotes, and quotes spoiled in a single place. */
export const quoteRows: readonly Row[] = [...accepted, ...wrongQuote]
