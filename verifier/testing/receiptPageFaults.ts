import { sha256 } from '@noble/hashes/sha2'
import { cidOf, fromHex, toHex } from '@perigee/core/bytes'
import type { AttestationReceiptV1, BirthReceiptV1 } from '@perigee/core/receipt'
import { flip } from '../../core/receipt/testing/cases/receiptCase.js'
import { createSampleOwner } from '../../core/receipt/testing/sampleOwner.js'
import { createSimulatedWorld, signedAt } from '../../core/receipt/testing/simulatedWorld.js'
import { mintSnpReport, type SnpReportToMint } from '../../core/simulation/index.js'
import { tdxSerials } from '../../core/simulation/testing/index.js'

export const world = await createSimulatedWorld()
export const owner = createSampleOwner()

const day = 86_400
/** Collateral by which the platform is revoked, collateral of last week, and collateral of which only the CRLs are that old. */
export const wrongCollateral = [
  await world.collateralOf(signedAt - day, { revokedByPckCa: [tdxSerials.pck] }),
  await world.collateralOf(signedAt - 8 * day),
  await world.collateralOf(signedAt - day, { crlIssuedAt: signedAt - 8 * day }),
]

/** Another report of the same chip, truly signed, with the same REPORT_DATA. */
const reported = (changes: Partial<SnpReportToMint>) => (r: AttestationReceiptV1) => {
  const reportData = fromHex(r.coordinator.report).slice(0x50, 0x90)
  const report = mintSnpReport({ reportData, ...changes }, world.snp.reportKeys)
  Object.assign(r.coordinator, { report: toHex(report), reportHash: toHex(sha256(report)) })
}

/** The owner's passkey truly signs other data. */
const signedAgain =
  (change: (text: string) => string, flags = 0x1d) =>
  (r: AttestationReceiptV1) => {
    const { clientDataJSON, authenticatorData, ...passkey } = r.authorisation.passkey!
    const data = fromHex(authenticatorData)
    data[32] = flags
    const approval = { ...passkey, clientDataJSON: change(clientDataJSON), authenticatorData: toHex(data) }
    r.authorisation.passkey = { ...passkey, ...owner.resign(approval) }
  }
const asItWas = (text: string) => text

type Change = (receipt: AttestationReceiptV1) => unknown
type File = 'collateral.json' | 'measurements.json' | 'birth.json' | 'receipt.json'
/** What makes each block of docs/receipt-v1.md fail: a member of the receipt, or a file that it reads or fetches. */
export const faults: Record<string, (Change | File)[]> = {
  'Fetch it from any gateway, and name it yourself': ['receipt.json'],
  'The event': [(r) => (r.transaction.from = flip(r.transaction.from)), (r) => (r.spec = 'https://other.example')],
  'Digest, hash and signer': [
    (r) => (r.transaction.value = '1'),
    (r) => (r.transaction.txHash = flip(r.transaction.txHash)),
    (r) => (r.transaction.signature = flip(r.transaction.signature)),
  ],
  'The key and its wallet': [
    (r) => (r.signer.publicKey = flip(r.signer.publicKey)),
    (r) => (r.transaction.from = flip(r.transaction.from)),
    (r) => (r.signer.keyId = 'key-2'),
  ],
  'REPORTDATA and REPORT_DATA': [(r) => (r.signer.signedAt += 1), (r) => (r.coordinator.identity.service = 'other')],
  'The coordinator’s report': [
    (r) => (r.coordinator.report = flip(r.coordinator.report, 100)),
    (r) => (r.coordinator.vek = r.coordinator.intermediate),
    (r) => (r.coordinator.rootFingerprint = flip(r.coordinator.rootFingerprint)),
    (r) => (r.coordinator.reportHash = flip(r.coordinator.reportHash)),
    reported({ policy: 0x30000n | (1n << 18n) }),
    reported({ policy: 0x30000n | (1n << 19n) }),
    reported({ vmpl: 4 }),
    reported({ signingKey: 'VLEK' }),
    reported({ tcb: { ...world.snp.reportKeys.tcb, microcode: 214 } }),
  ],
  'Who asked': [
    (r) => (r.authorisation.statement.signature = flip(r.authorisation.statement.signature)),
    (r) => (r.authorisation.statement.subject = flip(r.authorisation.statement.subject)),
    (r) => (r.authorisation.passkey!.salt = flip(r.authorisation.passkey!.salt)),
    (r) => (r.signer.signedAt = r.authorisation.statement.issuedAt - 61),
  ],
  'The passkey': [
    (r) => (r.authorisation.passkey!.signature = flip(r.authorisation.passkey!.signature, 30)),
    (r) => (r.authorisation.passkey!.validUntil += 1),
    (r) => (r.authorisation.passkey!.authenticatorData = flip(r.authorisation.passkey!.authenticatorData)),
    (r) => (r.authorisation.passkey!.clientDataJSON = r.authorisation.passkey!.clientDataJSON.replace('app', 'bad')),
    signedAgain((text) => text.replace('"crossOrigin":false', '"crossOrigin":true')),
    signedAgain((text) => text.replace('}', ',"topOrigin":"https://bad.example"}')),
    signedAgain((text) => text.replace('{', '{"type":"webauthn.get",')),
    (r) => (r.authorisation.passkey!.since = 'upgrade'),
    (r) => Object.assign(r.authorisation, { level: 'coordinator-attested', passkey: null }),
    signedAgain(asItWas, 0x5d), // attested data, which an assertion has not
    signedAgain(asItWas, 0x15), // backed up, but not eligible
  ],
  'The quote’s own signatures': [
    (r) => (r.signer.quote = flip(r.signer.quote, 1200)), // body
    (r) => (r.signer.quote = flip(r.signer.quote, 2 + 2 * (636 + 134 + 10))), // quoting enclave's report
    (r) => (r.signer.quote = flip(r.signer.quote, 2 + 2 * (636 + 64 + 5))), // attestation key
  ],
  'The collateral': [
    'collateral.json',
    (r) => (r.signer.collateralCid = r.signer.birthCid),
    ...wrongCollateral.map((bytes) => (r: AttestationReceiptV1) => (r.signer.collateralCid = cidOf(bytes))),
  ],
  'The entropy sample': [
    (r) => (r.entropy.value = flip(r.entropy.value)),
    (r) => (r.entropy.producedAt! += 1),
    (r) => (r.entropy.provenance = 'satellite-signature-verified'),
    (r) => (r.signer.signedAt += 700),
  ],
  'Policy, times and the label': [
    (r) => (r.signer.policy.chainIds = [1]),
    (r) => (r.signer.policy.maxFee = '1'),
    (r) => (r.signer.policy.entropy.minimum = 'operator-asserted'),
    (r) => Object.assign(r.entropy, { producedAt: null, receivedAt: r.signer.signedAt - 700 }),
    (r) => (r.coordinator.fetchedAt += 3600),
    (r) => (r.simulated = false),
  ],
  'The list of builds': ['measurements.json'],
  Measurements: [
    (r) => (r.signer.runtimeEvents = r.signer.runtimeEvents.slice(1)),
    (r) => (r.signer.quote = flip(r.signer.quote, 2 + 2 * 190)), // MRTD
    (r) => (r.coordinator.report = flip(r.coordinator.report, 2 + 2 * 0x91)),
    reported({ vmpl: 1 }),
    reported({ tcb: { ...world.snp.reportKeys.tcb, snp: 0 } }),
  ],
  'The birth': [
    'birth.json',
    (r) => (r.signer.keyId = 'key-2'),
    (r) => (r.signer.birthCid = r.signer.collateralCid),
    (r) => (r.authorisation.passkey!.since = 'upgrade'),
    (r) => (r.authorisation.passkey!.owners = createSampleOwner('08').owners),
    (r) => (r.authorisation.passkey!.owners.sequence = 1),
    (r) => Object.assign(r.authorisation.passkey!.owners, { sequence: 1, previous: `0x${'99'.repeat(32)}` }),
  ],
}

/** The same for the birth of a key. */
export const birthFaults: [block: string, change: (birth: BirthReceiptV1) => unknown][] = [
  ['The event', (b) => (b.key.address = flip(b.key.address))],
  ['The key and its wallet', (b) => (b.key.keyId = 'key-2')],
  ['The key and its wallet', (b) => (b.key.address = flip(b.key.address))],
  ['REPORTDATA and REPORT_DATA', (b) => (b.key.sealedKeyHash = flip(b.key.sealedKeyHash))],
  ['REPORTDATA and REPORT_DATA', (b) => (b.key.ownersHash = flip(b.key.ownersHash))],
  ['REPORTDATA and REPORT_DATA', (b) => (b.authorisation.approval!.passkeys = [])],
  ['Who asked', (b) => (b.key.subject = flip(b.key.subject))],
  ['Who asked', (b) => (b.authorisation.approval!.passkeys[0]!.validUntil += 1)],
  ['The passkey', (b) => (b.authorisation.approval!.passkeys = [])],
  ['The passkey', (b) => (b.authorisation.owners!.sequence = 1)],
  ['The passkey', (b) => (b.key.ownersHash = flip(b.key.ownersHash))],
  ['The passkey', (b) => (b.authorisation.approval!.passkeys[0]!.signature = `0x${'30'.repeat(70)}`)],
  ['The entropy sample', (b) => (b.key.createdAt += 700)],
  ['Policy, times and the label', (b) => (b.key.createdAt += 3600)],
]
