export { parseEnclaveClientConfig, parseQuotePolicy } from './config.js'
export { createEnclaveClient } from './createEnclaveClient.js'
export { createEvidenceVerifier } from './createEvidenceVerifier.js'
