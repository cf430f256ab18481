import { createHash, randomBytes, sign } from 'node:crypto'
import { encodeCoordinatorBinding, reportData } from '../../binding/index.js'
import { fromHex, toHex, type Hex, type UnixSeconds } from '../../bytes/index.js'
import type { CoordinatorEvidence } from '../../enclave/index.js'
import type { CoordinatorPart } from '../../receipt/index.js'
import { fingerprintOf } from '../../receipt/anchors/TrustAnchors.js'
import { mintSnpReport, type SnpReportKeys, type SnpReportToMint } from '../../simulation/index.js'
import type { OwnersApproval, PasskeyApproval } from '../Authorisation.js'
import { encodeStatement, hashOf, zero32, zeroAddress, type SignedStatement, type Statement } from '../Statement.js'
import { createP256Key } from './createSoftPasskey.js'

/** A simulated chip with its certificates, hex of DER. */
export interface SimulatedSnp {
  root: Hex
  intermediate: Hex
  vek: Hex
  reportKeys: SnpReportKeys
}

export interface CoordinatorChanges {
  now?: UnixSeconds
  expiresAt?: UnixSeconds
  identity?: Partial<CoordinatorEvidence['identity']>
  /** What the report says otherwise: measurement, guest policy, VMPL… */
  report?: Partial<SnpReportToMint>
}

/** The parts of a statement that a test names; the rest follows from them. */
export type StatementParts = Pick<Statement, 'kind' | 'subject'> &
  Partial<Omit<Statement, 'kind' | 'subject'>> & { approval?: PasskeyApproval | OwnersApproval | null }

export type SoftCoordinator = ReturnType<typeof createCoordinator>

/** An API as the enclave sees it: a request key, a report under the simulated root that binds it, statements. */
export function createCoordinator(snp: SimulatedSnp, changes: CoordinatorChanges = {}) {
  const now = changes.now ?? Math.floor(Date.now() / 1000)
  const key = createP256Key()
  const identity = {
    service: 'http://localhost:8787',
    requestKey: key.publicKey,
    publishers: [`0x${'ab'.repeat(20)}` as Hex],
    ...changes.identity,
  }
  const nonce = toHex(randomBytes(32))
  const expiresAt = changes.expiresAt ?? now + 7200
  const bound = fromHex(reportData(encodeCoordinatorBinding({ identity, nonce, expiresAt })), 64)
  const report = mintSnpReport({ reportData: bound, ...changes.report }, snp.reportKeys)
  const { vek, intermediate } = snp
  const evidence: CoordinatorEvidence = { report: toHex(report), vek, intermediate, identity, nonce, expiresAt }
  const attestation: CoordinatorPart = {
    ...evidence,
    kind: 'sev-snp',
    reportHash: toHex(createHash('sha256').update(report).digest()),
    rootFingerprint: fingerprintOf(snp.root),
    fetchedAt: now,
  }
  return {
    requestKey: key.publicKey,
    identity,
    /** What the enclave is sent. */
    evidence,
    /** What a receipt shows. */
    attestation,
    /** A signed statement, issued now and good for five minutes unless said otherwise. */
    state({ approval = null, ...parts }: StatementParts): SignedStatement {
      const issuedAt = parts.issuedAt ?? Math.floor(Date.now() / 1000)
      const statement: Statement = {
        kind: parts.kind,
        subject: parts.subject,
        address: parts.address ?? zeroAddress,
        digest: parts.digest ?? zero32,
        chainId: parts.chainId ?? 0,
        issuedAt,
        expiresAt: parts.expiresAt ?? issuedAt + 300,
        authorisationHash: parts.authorisationHash ?? (approval === null ? zero32 : hashOf(approval)),
      }
      const signingKey = { key: key.privateKey, dsaEncoding: 'ieee-p1363' } as const
      return { ...statement, signature: toHex(sign('sha256', encodeStatement(statement), signingKey)) }
    },
  }
}
