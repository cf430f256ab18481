import {
  mintCertificate,
  mintCrl,
  mintSnpPki,
  rsaPublicKey,
  rsaSigner,
  snpNames,
  vekCertificate,
  type CertificateToMint,
} from '../../simulation/testing/index.js'
import type { ErrorCode } from '../../errors/index.js'
import { mintSnpReport, type SnpReportKeys, type SnpReportToMint } from '../../simulation/index.js'
import type { SnpEvidence, SnpOptions } from '../types.js'
import { testRsaKeys } from './testRsaKeys.js'

/** A minted report with everything it is verified by, and what must come of it. */
export interface SnpCase {
  name: string
  evidence: SnpEvidence
  options: SnpOptions
  expect: { code: ErrorCode } | { vmpl: number }
}

const day = 86_400
export const snpCaseTime = 1_794_614_400
const validity = { notBefore: snpCaseTime - 300 * day, notAfter: snpCaseTime + 300 * day }
const tcb = { bootloader: 4, tee: 0, snp: 24, microcode: 219 }
const milan: SnpReportKeys = { vekPrivateKey: `0x${'11'.repeat(48)}`, chipId: `0x${'c1'.repeat(64)}`, tcb }
const turin: SnpReportKeys = { ...milan, chipId: `0x${'c2'.repeat(8)}`, tcb: { ...tcb, fmc: 1 }, product: 'Turin' }

interface Recipe {
  report?: Partial<SnpReportToMint>
  keys?: Partial<SnpReportKeys>
  kind?: 'VCEK' | 'VLEK'
  vek?: Partial<CertificateToMint>
  ask?: Partial<CertificateToMint>
  ark?: Partial<CertificateToMint>
  options?: Partial<SnpOptions>
  crl?: { revokedSerials?: number[]; nextUpdate?: number }
  spoil?: (evidence: SnpEvidence) => Partial<SnpEvidence>
}

const fine = { vmpl: 0 }
const flip = (bytes: Uint8Array, at: number) => bytes.with(at, (bytes[at] as number) ^ 1)
const asvk = { subject: snpNames.asvk }
const belowAsvk = { issuer: snpNames.asvk }
const vlekRecipe: Recipe = { kind: 'VLEK', report: { signingKey: 'VLEK' }, ask: asvk, vek: belowAsvk }

/** AMD's extensions of a certificate; the last is the one that only its kind has: HWID of a VCEK, CSP_ID of a VLEK. */
type Extensions = NonNullable<CertificateToMint['extensions']>
const extensionsOf = (kind: 'VCEK' | 'VLEK') =>
  vekCertificate(milan, snpNames.ask, validity, kind).extensions as Extensions
const [vcek, vlek] = [extensionsOf('VCEK'), extensionsOf('VLEK')]
const ownOf = (extensions: Extensions) => extensions.at(-1) as Extensions[number]
const withoutOwn = (extensions: Extensions) => extensions.slice(0, -1)

type Row = [name: string, expect: SnpCase['expect'], recipe: Recipe]

const refused = (code: ErrorCode, recipes: Record<string, Recipe>): Row[] =>
  Object.entries(recipes).map(([name, recipe]) => [name, { code }, recipe])
const spoiltReport = (change: (report: Uint8Array) => Uint8Array): Recipe => ({
  spoil: ({ report }) => ({ report: change(report) }),
})
const ofAnotherChip = () =>
  mintSnpReport({ reportData: new Uint8Array(64) }, { ...milan, chipId: `0x${'c3'.repeat(64)}` })
const turinRecipe: Recipe = {
  keys: turin,
  ark: { subject: 'ARK-SimulatedTurin', issuer: 'ARK-SimulatedTurin' },
  ask: { subject: 'SEV-SimulatedTurin', issuer: 'ARK-SimulatedTurin' },
  vek: { issuer: 'SEV-SimulatedTurin' },
}

const rows: Row[] = [
  ['a version 2 report', fine, { report: { version: 2 } }],
  ['a version 3 report', fine, { report: { version: 3 } }],
  ['a version 4 report', fine, { report: { version: 4 } }],
  ['a version 5 report', fine, { report: { version: 5 } }],
  ['a report signed by a VLEK', fine, vlekRecipe],
  ['a Turin report', fine, turinRecipe],
  ['a report that masks its chip', fine, { report: { maskChipId: true } }],
  ['a report from VMPL 1 when that is asked for', { vmpl: 1 }, { report: { vmpl: 1 }, options: { vmpl: 1 } }],
  ['a report with a fresh CRL', fine, { crl: {} }],
  ...refused('parse_failed', {
    'a report that is too short': spoiltReport((report) => report.subarray(1)),
    'report version 6': spoiltReport((report) => report.with(0, 6)),
    'a report without a signing key': spoiltReport((report) => report.with(0x48, 7 << 2)),
    'bytes after the signature': spoiltReport((report) => report.with(0x4a0 - 1, 1)),
    'a policy without its reserved bit': { report: { policy: 0x10000n } },
    'bytes that are not a certificate': { spoil: () => ({ vek: new Uint8Array(9) }) },
  }),
  ...refused('time_invalid', { 'no time': { options: { now: Number.NaN } } }),
  ...refused('root_invalid', { 'a root that is not a certificate': { spoil: () => ({ root: new Uint8Array(9) }) } }),
  ...refused('vek_chain', {
    'a VCEK that was changed': { spoil: ({ vek }) => ({ vek: flip(vek, vek.length - 1) }) },
    'an intermediate that is no CA': { ask: { role: 'leaf' } },
    'the root in the intermediate’s place': { spoil: ({ root }) => ({ intermediate: root }) },
    'a VCEK below the VLEK’s intermediate': { ask: asvk, vek: belowAsvk },
    'a VLEK below the VCEK’s intermediate': { kind: 'VLEK', report: { signingKey: 'VLEK' } },
    'a report that names a VLEK, with a VCEK': { report: { signingKey: 'VLEK' } },
    'a VCEK without a chip id': { vek: { extensions: withoutOwn(vcek) } },
    'a VCEK that names a cloud provider too': { vek: { extensions: [...vcek, ownOf(vlek)] } },
    'a VLEK without a cloud provider': { ...vlekRecipe, vek: { ...belowAsvk, extensions: withoutOwn(vlek) } },
    'a VLEK that names a chip too': { ...vlekRecipe, vek: { ...belowAsvk, extensions: [...vlek, ownOf(vcek)] } },
  }),
  ...refused('vek_expired', { 'an expired VCEK': { vek: { notAfter: snpCaseTime - 1 } } }),
  ...refused('vek_not_yet_valid', { 'a VCEK from the future': { vek: { notBefore: snpCaseTime + 1 } } }),
  ...refused('vek_revoked', { 'a revoked intermediate': { crl: { revokedSerials: [0x10001] } } }),
  ...refused('crl_expired', { 'a stale CRL': { crl: { nextUpdate: snpCaseTime - 1 } } }),
  ...refused('crl_invalid', { 'a garbled CRL': { options: { crl: new Uint8Array(5) } } }),
  ...refused('report_signature', {
    'changed REPORT_DATA': spoiltReport((report) => flip(report, 0x50)),
    'a signature longer than the curve': spoiltReport((report) => report.with(0x2a0 + 50, 1)),
  }),
  ...refused('product_mismatch', {
    'a Genoa CPU with a Milan certificate': { report: { cpu: 'Genoa' } },
    'a Turin certificate below a Milan chain': { keys: turin },
  }),
  ...refused('tcb_mismatch', {
    'a TCB the key is not certified for': { report: { tcb: { ...tcb, microcode: 218 } } },
  }),
  ...refused('chip_id_mismatch', { 'another chip than the certificate’s': spoiltReport(ofAnotherChip) }),
  ...refused('policy_debug', { 'a guest that may be debugged': { report: { policy: 0xb0000n } } }),
  ...refused('policy_migration', { 'a guest that may be migrated': { report: { policy: 0x70000n } } }),
  ...refused('vmpl_mismatch', {
    'a report from another VMPL': { report: { vmpl: 2 }, options: { vmpl: 0 } },
    'a report that the host asked for': { report: { vmpl: 0xffffffff } },
  }),
]

/** Every case: valid ones, and at least one spoiled in a single place for each error code. Minted once per process. */
export const createSnpCases = (): Promise<SnpCase[]> => (minted ??= mintCases())
let minted: Promise<SnpCase[]> | undefined

async function mintCases(): Promise<SnpCase[]> {
  const rsa = await testRsaKeys()
  const plain = await mintSnpPki(rsa, validity, milan)
  const cases: SnpCase[] = []
  for (const [name, expect, recipe] of rows) {
    const keys = { ...milan, ...recipe.keys }
    const base = { serial: 0x10001, subject: snpNames.ask, issuer: snpNames.ark, publicKey: rsaPublicKey(rsa.ask) }
    const arkBase = { role: 'ca' as const, ...validity, publicKey: rsaPublicKey(rsa.ark) }
    const ask = { ...base, role: 'ca' as const, ...validity, ...recipe.ask }
    const vek = { ...vekCertificate(keys, snpNames.ask, validity, recipe.kind), ...recipe.vek }
    const evidence: SnpEvidence = {
      report: mintSnpReport({ reportData: new Uint8Array(64).fill(0xa5), ...recipe.report }, keys),
      vek: recipe.vek || recipe.keys || recipe.kind ? await mintCertificate(vek, rsaSigner(rsa.ask)) : plain.vek,
      intermediate: recipe.ask ? await mintCertificate(ask, rsaSigner(rsa.ark)) : plain.ask,
      root: recipe.ark ? await mintCertificate({ ...base, ...arkBase, ...recipe.ark }, rsaSigner(rsa.ark)) : plain.ark,
    }
    const list = { issuer: snpNames.ark, issuerPublicKey: rsaPublicKey(rsa.ark), thisUpdate: snpCaseTime - day }
    const crl =
      recipe.crl && (await mintCrl({ ...list, nextUpdate: snpCaseTime + day, ...recipe.crl }, rsaSigner(rsa.ark)))
    const options = { now: snpCaseTime, ...(crl ? { crl } : {}), ...recipe.options }
    cases.push({ name, expect, options, evidence: { ...evidence, ...recipe.spoil?.(evidence) } })
  }
  return cases
}
