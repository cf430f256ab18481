export { createEnclaveClient, type EnclaveClientOptions } from './createEnclaveClient.js'
export type { EnclaveClient } from './EnclaveClient.js'
export type { EvidenceVerifier, VerifiedEvidence } from './EvidenceVerifier.js'
