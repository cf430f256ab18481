import { randomBytes } from 'node:crypto'
import { sha256 } from '@noble/hashes/sha2'
import { fromHex, ServiceError, toHex, type Hex, type UnixSeconds } from '@perigee/core'
import { encodeCoordinatorBinding, reportData } from '@perigee/core/binding'
import { checkCoordinatorBuild, type ReleaseKeeper } from '@perigee/core/measurements'
import { isVendorRoot, type CoordinatorPart } from '@perigee/core/receipt'
import { verifyUnderRoots } from '@perigee/core/snp'
import { decodeCertificateFile } from '@perigee/core/x509'

const daySeconds = 86_400

/** An SEV-SNP machine, or its simulation. */
export interface SnpPlatform {
  /** A report whose REPORT_DATA is exactly these 64 bytes, with the certificates if the host supplies them. */
  report(reportData: Uint8Array): Promise<{ report: Uint8Array; vek?: Uint8Array; intermediate?: Uint8Array }>
}

/** The coordinator's own SNP attestation, as it goes into receipts and to `/health/attestation`. */
export type CoordinatorAttestation = CoordinatorPart & { simulated: boolean; measurement: Hex }

export interface CoordinatorOptions {
  platform: SnpPlatform
  identity: CoordinatorAttestation['identity']
  /** DER of the roots our report may end in: one for each generation of chips. */
  roots: readonly Uint8Array[]
  /** Certificates (DER or PEM) used when the host supplies none. */
  certificates?: { vek?: Uint8Array; intermediate?: Uint8Array }
  /** Published builds; a coordinator that is not one of them does not serve. */
  releases: Pick<ReleaseKeeper, 'current'>
  /** False wherever a development root must never pass. */
  allowDevelopmentRoot: boolean
  /** A report is used this long and believed for twice as long; a new one is made after half of it. */
  maxAgeSeconds?: number
  now?(): UnixSeconds
}

/** Keeps a current attestation of this machine, verified as strictly as a stranger would before it is used. */
export function createCoordinatorAttestor(options: CoordinatorOptions) {
  const { maxAgeSeconds = 3600, now = () => Math.floor(Date.now() / 1000) } = options
  const { platform, identity, roots, certificates = {}, releases, allowDevelopmentRoot } = options
  let latest: CoordinatorAttestation | undefined
  let pending: Promise<CoordinatorAttestation> | undefined
  const ageOf = (attestation: CoordinatorAttestation) => now() - attestation.fetchedAt

  async function attest(nonce: Hex): Promise<CoordinatorAttestation> {
    const fetchedAt = now()
    const expiresAt = fetchedAt + Math.min(2 * maxAgeSeconds, daySeconds)
    const expected = reportData(encodeCoordinatorBinding({ identity, nonce, expiresAt }))
    const { report, ...given } = await platform.report(fromHex(expected, 64))
    const chain = { ...certificates, ...given }
    if (!chain.vek || !chain.intermediate) {
      throw new ServiceError('collateral_unavailable', 'the host passes no SNP certificates on; configure SNP_VEK_FILE and SNP_INTERMEDIATE_FILE') // prettier-ignore
    }
    const vek = decodeCertificateFile(chain.vek)
    const intermediate = decodeCertificateFile(chain.intermediate)
    const verdict = await verifyUnderRoots(roots, { report, vek, intermediate }, fetchedAt)
    const simulated = !isVendorRoot('amd', verdict.rootFingerprint)
    if (simulated && !allowDevelopmentRoot) {
      throw new ServiceError('development_root', 'the coordinator report ends in a development root')
    }
    if (verdict.reportData !== expected) {
      throw new ServiceError('binding_mismatch', 'the SNP report has other REPORT_DATA than we asked for')
    }
    const build = checkCoordinatorBuild(verdict, releases.current(fetchedAt))
    return {
      kind: 'sev-snp',
      report: toHex(report),
      reportHash: toHex(sha256(report)),
      vek: toHex(vek),
      intermediate: toHex(intermediate),
      rootFingerprint: verdict.rootFingerprint,
      identity,
      nonce,
      fetchedAt,
      expiresAt,
      simulated: simulated || build.simulated,
      measurement: verdict.measurement,
    }
  }

  function refresh(): Promise<CoordinatorAttestation> {
    pending ??= attest(toHex(randomBytes(32)))
      .then((attestation) => (latest = attestation))
      .finally(() => (pending = undefined))
    return pending
  }

  return {
    /** The verified report in use, refreshed before it is stale. Cheap: a call makes no new report. */
    async current(): Promise<CoordinatorAttestation> {
      if (latest && ageOf(latest) < maxAgeSeconds / 2) return latest
      const refreshed = refresh()
      if (!latest || ageOf(latest) >= maxAgeSeconds) return refreshed
      refreshed.catch(() => undefined) // the old report is still good, and the next caller tries again
      return latest
    },
    /** A new report over the caller's nonce (32 bytes hex), for `/health/attestation?nonce=`. */
    fresh: attest,
  }
}

export type CoordinatorAttestor = ReturnType<typeof createCoordinatorAttestor>
