import type { Hex } from '../../bytes/index.js'
import type { ReceiptParts, SignerEvidence } from '../AnyReceipt.js'

/**
 * SHA-256 of the DER of the vendors' root certificates. Everything else is a development root, and what it signed is
 * simulated. Intel: certificates.trustedservices.intel.com/IntelSGXRootCA.der. AMD: kdsintf.amd.com/vcek/v1/<product>/cert_chain.
 */
export const vendorRoots = {
  intel: ['0x44a0196b2b99f889b8e149e95b807a350e7424964399e885a7cbb8ccfab674d3'],
  amd: [
    '0x69d063b45344d26a2e94e1f4210de49ef555308287d4c174445c95639a540bcd', // ARK-Milan
    '0x4c6598d19c18719c5dfd4a7d335f674e5bfe1d8f800cea2cf270c10d103db2f1', // ARK-Genoa
    '0x1f084161a44bb6d93778a904877d4819cafa5d05ef4193b2ded9dd9c73dd3f6a', // ARK-Turin
  ],
} as const satisfies Record<'intel' | 'amd', readonly Hex[]>

/** True for the fingerprint of a root that the vendor itself published. */
export function isVendorRoot(vendor: 'intel' | 'amd', fingerprint: string): boolean {
  return (vendorRoots[vendor] as readonly string[]).includes(fingerprint.toLowerCase())
}

/** True when any part was not made by the vendor's hardware or a real source. */
export function isSimulated({
  signer,
  coordinator,
  entropy,
}: Pick<ReceiptParts, 'coordinator' | 'entropy'> & { signer: Pick<SignerEvidence, 'rootFingerprint'> }): boolean {
  return (
    !isVendorRoot('intel', signer.rootFingerprint) ||
    !isVendorRoot('amd', coordinator.rootFingerprint) ||
    entropy.provenance === 'simulated'
  )
}
