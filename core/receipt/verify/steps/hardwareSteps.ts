import { encodeCoordinatorBinding } from '../../../binding/index.js'
import { fromHex, verifyCid, type Hex } from '../../../bytes/index.js'
import { verifyEntropySample, type EntropyTrust } from '../../../entropy/index.js'
import { ServiceError } from '../../../errors/index.js'
import { checkCoordinatorBuild, checkEnclaveBuild } from '../../../measurements/index.js'
import { checkQuotePolicy, checkSnpPolicy } from '../../../policy/index.js'
import { checkInForce } from '../../../releases/index.js'
import { authenticateUnderRoots, checkAgainstCrls, verifySnpReport } from '../../../snp/index.js'
import { verifyQuote } from '../../../tdx/index.js'
import { subjectOf } from '../../subjectOf.js'
import { checkCollateralAge } from '../../collateralAge.js'
import { fingerprintOf, type TrustAnchors } from '../../anchors/TrustAnchors.js'
import { isVendorRoot } from '../../anchors/vendorRoots.js'
import {
  given,
  hashed,
  isoTime,
  maxCollateralBytes,
  need,
  parseCollateral,
  receiptOf,
  sameClaim,
  shorten,
} from '../evidence.js'
import { verificationTime } from '../verificationTime.js'
import type { Step, VerifyReceiptOptions } from '../types.js'

/** The sample is what its provenance says, by keys the verifier pinned, and was fresh when it was used. */
export const entropyWitness: Step = {
  name: 'entropy_witness',
  title: 'The entropy sample is what it claims to be',
  skippable: true,
  async run(work) {
    const receipt = receiptOf(work)
    const { entropy } = receipt
    const { madeAt, what } = subjectOf(receipt)
    const found = await verifyEntropySample(entropy, entropyTrust(work.options), madeAt)
    work.entropy = found.provenance
    return `${entropy.source} sample checked as ${found.provenance}, fresh when the ${what} was made`
  },
}

function entropyTrust({ anchors, verifyBeacon }: VerifyReceiptOptions): EntropyTrust {
  const { beacons: names, assertedSources = [], ...trust } = anchors.entropy
  return { ...trust, assertedSources, ...(verifyBeacon && { beacons: { names, verify: verifyBeacon } }) }
}

/** The coordinator's report is authentic, up to a root the verifier chose. */
export const coordinatorReport: Step = {
  name: 'coordinator_report',
  title: 'The coordinator’s SNP report is authentic',
  skippable: true,
  async run(work) {
    const { coordinator } = receiptOf(work)
    const { anchors, now, amdCrls } = work.options
    const { asOf } = verificationTime(work)
    const report = fromHex(coordinator.report)
    sameClaim('reportHash', coordinator.reportHash, hashed(work, 'coordinator report', 'sha-256', report))
    const root = chooseRoot(anchors, 'amd', anchors.snpRoots, coordinator.rootFingerprint)
    const chain = {
      vek: fromHex(coordinator.vek),
      intermediate: fromHex(coordinator.intermediate),
      root: fromHex(root),
    }
    const verdict = await verifySnpReport({ report, ...chain }, { now: asOf })
    if (amdCrls !== undefined) {
      await checkAgainstCrls(await authenticateUnderRoots([chain.root], chain), amdCrls, now ?? asOf)
    }
    work.coordinator = verdict
    const listed = amdCrls === undefined ? '' : ', not revoked by the list given'
    return `${verdict.product} ${verdict.signingKey} report, chain ends in root ${verdict.rootFingerprint}${listed}`
  },
}

/** The report speaks for this service, its request key and its publishers. */
export const coordinatorBinding: Step = {
  name: 'coordinator_binding',
  title: 'The SNP report binds the coordinator’s identity',
  skippable: true,
  run(work) {
    const { coordinator } = receiptOf(work)
    const verdict = need(work.coordinator, 'the coordinator report was not verified')
    const expected = hashed(work, 'coordinator binding', 'sha-512', encodeCoordinatorBinding(coordinator))
    if (expected !== verdict.reportData) {
      const facts = { expected, reportData: verdict.reportData }
      const message = 'REPORT_DATA binds another identity, nonce or expiry'
      throw new ServiceError('coordinator_binding_mismatch', message, facts)
    }
    work.identity = coordinator.identity
    return `SHA-512 of identity, nonce and expiry = REPORT_DATA ${shorten(expected)}`
  },
}

/** The collateral is the one our own check used. */
export const collateralCid: Step = {
  name: 'collateral_cid',
  title: 'The collateral is the one the receipt names',
  skippable: true,
  run(work) {
    const { collateralCid } = receiptOf(work).signer
    const bytes = given(work, 'collateral', `collateral ${collateralCid}`, 'was not given', { collateralCid })
    if (bytes.length > maxCollateralBytes) throw new ServiceError('parse_failed', 'collateral is larger than 1 MiB')
    if (work.options.explain) hashed(work, 'collateral', 'sha-256', bytes)
    verifyCid(collateralCid, bytes)
    return `SHA-256 of ${bytes.length} bytes is that in ${collateralCid}`
  },
}

/** Intel's whole algorithm, under the verifier's root, as of the block's time or the caller's, with collateral of that week. */
export const quote: Step = {
  name: 'quote',
  title: 'The enclave’s TDX quote is authentic',
  skippable: true,
  async run(work) {
    const { signer } = receiptOf(work)
    const { anchors } = work.options
    const { asOf, witness } = verificationTime(work)
    const collateral = parseCollateral(given(work, 'collateral', 'the collateral', 'was not given'))
    const root = chooseRoot(anchors, 'intel', [anchors.tdxRoot], signer.rootFingerprint)
    const verdict = await verifyQuote(fromHex(signer.quote), collateral, fromHex(root), asOf)
    work.quote = verdict
    checkCollateralAge(verdict.collateralIssuedAt, asOf)
    sameClaim('tcbStatus', signer.tcbStatus, verdict.tcbStatus)
    sameClaim('advisoryIds', signer.advisoryIds.join(','), verdict.advisoryIds.join(','))
    const issued = isoTime(verdict.collateralIssuedAt)
    const { currentTcbStatus, currentAdvisoryIds = [] } = verdict
    const current = currentTcbStatus ? `, now ${[currentTcbStatus, ...currentAdvisoryIds].join(' ')},` : ''
    return `v${verdict.quoteVersion} quote, TCB ${verdict.tcbStatus}${current} as of ${isoTime(asOf)} (${witness}), by collateral issued ${issued}, root ${verdict.rootFingerprint}`
  },
}

/** Which builds and platforms: policy, apart from authenticity. */
export const measurements: Step = {
  name: 'measurements',
  title: 'Enclave and coordinator run published builds',
  skippable: true,
  run(work) {
    const { signer } = receiptOf(work)
    const { anchors } = work.options
    const enclave = need(work.quote, 'the quote was not verified')
    const coordinator = need(work.coordinator, 'the coordinator report was not verified')
    const list = need(work.releaseInForce, 'the list of builds in force is not known')
    checkQuotePolicy(enclave, anchors.enclave, verificationTime(work).asOf)
    checkSnpPolicy(coordinator, anchors.coordinator)
    const enclaveBuild = checkInForce(list, (one) => checkEnclaveBuild(enclave, signer.runtimeEvents, one))
    const coordinatorBuild = checkInForce(list, (one) => checkCoordinatorBuild(coordinator, one))
    work.enclaveBuild = enclaveBuild
    const { name, appId, keyProvider } = enclaveBuild
    return `MRTD ${shorten(enclave.mrTd)} is build ${name}, as app ${appId} with keys from ${keyProvider.name} ${shorten(keyProvider.id)}; MEASUREMENT ${shorten(coordinator.measurement)} is build ${coordinatorBuild.name}`
  },
}

// The fingerprint in the receipt only picks among roots the verifier already trusts.
function chooseRoot(anchors: TrustAnchors, vendor: 'intel' | 'amd', roots: readonly Hex[], claimed: Hex): Hex {
  const root = roots.find((der) => fingerprintOf(der) === claimed)
  if (root !== undefined) return root
  if (!anchors.simulated && !isVendorRoot(vendor, claimed)) {
    const message = `made under a root that is not ${vendor}’s: simulated, or forged`
    throw new ServiceError('development_root', message, { claimed })
  }
  throw new ServiceError('root_not_trusted', 'made under a root that is not among the trust anchors', { claimed })
}
